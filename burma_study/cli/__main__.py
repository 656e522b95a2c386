"""`python -m burma_study.cli`."""

import sys

from burma_study.cli import main

sys.exit(main())
