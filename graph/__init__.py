"""What the machine is: domain types, state, reducers, routing, ports, settings, wiring, and ways in (`entry`)."""
