#!/usr/bin/env bash
# Make sure that there is a Chromium for the browser tests; Debian's package is used as it is.
set -euo pipefail
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null && exit 0
command -v apt-get >/dev/null || { echo "The browser tests need Chromium on the PATH; install it and run again."; exit 1; }
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo -n)
echo "Installing Chromium for the browser tests ..."
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
