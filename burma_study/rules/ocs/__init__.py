"""OCS Burma (1944): the rules of the India-Burma campaign at five miles a hex."""
