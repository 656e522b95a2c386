"""The air war under the optional air rules."""
