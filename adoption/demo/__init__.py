"""Made-up shelters, animals and applications, of any size: to look at, to try things on and to measure with.

Everybody and everything in them is invented: addresses are at example.org, telephone numbers are 555-01xx,
and microchips bear 999, the code for test transponders (ISO 11784, as ICAR registers it).
"""
