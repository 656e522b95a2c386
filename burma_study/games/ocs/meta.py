"""What is known of OCS Burma without its rules."""

from __future__ import annotations

from burma_study.answers.meta import Meta

META = Meta(
    id="ocs",
    title="OCS Burma",
    subject="northern Burma and Assam, March to August 1944",
    sides={"japanese": "Japanese", "allied": "Allies"},
    books={"ocs": "Burma", "ocs-series": "OCS"},
    stage="studied and played",
)
