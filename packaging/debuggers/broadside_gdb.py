"""Shows values of broadside in gdb: source FOLDER/broadside_gdb.py (a line for .gdbinit)."""

import gdb
import gdb.printing


def text_of_vec2(value):
    return f"({float(value['x']):g}, {float(value['y']):g})"


class Line:
    """Prints a value as one line."""

    def __init__(self, value):
        self.value = value


class Vec2(Line):
    def to_string(self):
        return text_of_vec2(self.value)


class Aabb(Line):
    def to_string(self):
        return f"{text_of_vec2(self.value['min'])} to {text_of_vec2(self.value['max'])}"


class Pair(Line):
    def to_string(self):
        return f"{int(self.value['a'])} and {int(self.value['b'])}"


class BodyId(Line):
    def to_string(self):
        generation = int(self.value["generation"])
        return f"body {int(self.value['index'])} (generation {generation})" if generation else "no body"


class Error(Line):
    def to_string(self):
        code = str(self.value["code"]).rsplit("::", maxsplit=1)[-1]
        return "no error" if code == "none" else f"{code}: {self.value['message'].format_string()}"


class Result(Line):
    def to_string(self):
        names = [field.name for field in self.value.type.fields()]
        return self.value["state_" if "state_" in names else "error_"]  # the latter of Result<void>


class Polygon(Line):
    def to_string(self):
        corners = self.corners()
        return f"{int(corners['size'])} corners, radius {float(corners['radius']):g}"

    def corners(self):
        return self.value["data_"]["_M_ptr"].dereference()

    def children(self):
        elements = self.corners()["vertices"]["_M_elems"]
        for i in range(int(self.corners()["size"])):
            yield f"[{i}]", elements[i]


def printers():
    collection = gdb.printing.RegexpCollectionPrettyPrinter("broadside")
    for printer in (Vec2, Aabb, Pair, BodyId, Error, Polygon):
        collection.add_printer(printer.__name__, rf"^broadside::(v\w+::)?{printer.__name__}$", printer)
    collection.add_printer("Result", r"^broadside::(v\w+::)?Result<.*>$", Result)
    return collection


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
