"""`python -m appliance.cli`: the same as the `appliance` program."""

from appliance.cli import main

main()
