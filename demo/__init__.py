"""Made-up shelters, animals and applications in any number, for demos, trials and measurements.

All people are invented: addresses are at example.org, telephone numbers are 555-01xx, and microchips start
with 999, the code for test transponders (ISO 11784, as registered by ICAR).
"""
