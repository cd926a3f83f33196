from apiflask import APIFlask


def open_door(app: APIFlask) -> None:
    pass
