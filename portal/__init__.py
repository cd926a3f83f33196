"""The door for people: pages in Jinja and htmx."""

from apiflask import APIFlask


def open_door(app: APIFlask) -> None:
    pass
