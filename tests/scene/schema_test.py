"""Holds the published JSON Schema and the reader to each other.

Each shipped scene must satisfy both; each bad one below must be refused by both.
Usage: schema_test.py BINARY SCENES_DIRECTORY
"""

import json
import pathlib
import subprocess
import sys

import jsonschema

BODY = {"position": [0, 0], "size": 1}
BAD = [
    {"steps": 0}, {"steps": 1.5}, {"dt": -1}, {"seed": -1}, {"restitution": 2}, {"colour": 1}, {"bodies": {}},
    {"gravity": [0]}, {"gravity": [0, "x"]}, {"bounds": [0, 0, 1]}, {"name": 7},
    {"bodies": [{"size": 1}]}, {"bodies": [{"position": [0, 0]}]}, {"bodies": [{**BODY, "radius": 1}]},
    {"bodies": [{**BODY, "kind": "moving"}]}, {"bodies": [{**BODY, "layer": 64}]}, {"bodies": [{**BODY, "color": "red"}]},
    {"bodies": [{**BODY, "collides_with": [64]}]}, {"bodies": [{**BODY, "mass": -1}]}, {"bodies": [{**BODY, "speed": 1}]},
    {"bodies": [{**BODY, "orbit": {"center": [0, 0]}}]}, {"bodies": [{"position": [0, 0], "size": [1, -1]}]},
    {"bodies": [{**BODY, "angle": "up"}]}, {"bodies": [{**BODY, "spin": [1]}]},
    *[{"bodies": [{"position": [0, 0], **shape}]} for shape in (
        {"capsule": {"a": [0, 0], "b": [1, 0]}}, {"capsule": {"a": [0, 0], "radius": 1}}, {"capsule": [0, 0, 1, 1]},
        {"capsule": {"a": [0, 0], "b": [1, 0], "radius": -1}}, {"segment": {"a": [0, 0]}},
        {"segment": {"a": [0, 0], "b": [1, 0], "radius": 1}}, {"polygon": {}}, {"polygon": {"points": [[0, 0], [1, 0]]}},
        {"polygon": {"points": [[0, 0], [1, 0], [1]]}}, {"polygon": {"points": [[0, 0], [1, 0], [0, 1]], "radius": -1}},
        {"mask": {}}, {"mask": {"rows": []}}, {"mask": {"rows": ["#", 1]}}, {"mask": {"rows": ["#"], "pixel_size": 0}},
        {"mask": {"rows": ["#"], "file": "x.png"}}, {"mask": {"rows": ["#"], "threshold": 1}},
        {"mask": {"file": "x.png", "threshold": 256}}, {"mask": {"rows": ["#"]}, "segment": {"a": [0, 0], "b": [1, 0]}})],
    {"patterns": [{"pattern": "grid", "size": 1, "radius": 1, "origin": [0, 0], "spacing": [2, 2], "columns": 2, "rows": 2}]},
    {"patterns": [{"size": 1}]}, {"patterns": [{"pattern": "spiral", "size": 1}]},
    {"patterns": [{"pattern": "grid", "size": 1}]}, {"patterns": [{"pattern": "line", "size": 1, "from": [0, 0], "to": [1, 1]}]},
    {"patterns": [{"pattern": "line", "size": 1, "from": [0, 0], "to": [1, 1], "count": 0}]},
    {"patterns": [{"pattern": "rings", "size": 1, "center": [0, 0], "spacing": 1, "columns": 3}]},
    {"patterns": [{"pattern": "scatter", "size": {"min": 1}, "count": 3, "area": [0, 0, 9, 9]}]},
    {"patterns": [{"pattern": "scatter", "size": {"max": 1, "law": "normal"}, "count": 3, "area": [0, 0, 9, 9]}]},
    {"rules": [{}]}, {"rules": [{"between": ["a"]}]}, {"bodies": [BODY], "rules": [{"between": ["body", "body"], "response": "stick"}]},
]
GOOD = [
    {"bodies": [{"position": [0, 0], "angle": 1.5, "spin": -1, **shape} for shape in (
        {"size": 1}, {"radius": 1}, {"capsule": {"a": [0, 0], "b": [0, 0], "radius": 0}}, {"segment": {"a": [0, 0], "b": [1, 0]}},
        {"polygon": {"points": [[0, 0], [1, 0], [0, 1]]}}, {"polygon": {"points": [[0, 0], [1, 0], [0, 1]], "radius": 2}},
        {"mask": {"rows": ["#.", ".#"]}}, {"mask": {"rows": ["#"], "pixel_size": 0.25}})]},
    {"patterns": [{"pattern": "grid", "polygon": {"points": [[0, 0], [1, 0], [0, 1]]}, "angle": 1, "spin": 1, "origin": [0, 0],
                   "spacing": [2, 2], "columns": 2, "rows": 2}]},
    {}, {"bodies": [BODY]}, {"bodies": [{"position": [0, 0], "radius": 0, "mass": 0}]},
    {"patterns": [{"pattern": "rings", "radius": 1, "center": [0, 0], "spacing": 5}]},
    {"patterns": [{"pattern": "scatter", "size": [1, 2], "count": 3, "area": [0, 0, 9, 9], "speed": 1, "overlap": True}]},
    {"patterns": [{"pattern": "line", "size": {"min": 0, "max": 1}, "from": [0, 0], "to": [1, 1], "count": 2}]},
    {"patterns": [{"pattern": "grid", "size": 1, "origin": [0, 0], "spacing": [2, 2], "columns": 2, "rows": 2}]},
]


def reader_accepts(binary, scene):
    run = subprocess.run([binary, "run", "-", "--steps", "1", "--quiet"], input=json.dumps(scene), text=True,
                         capture_output=True, check=False)
    assert run.returncode in (0, 1), (scene, run)
    return run.returncode == 0


def main():
    binary, scenes = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads((scenes / "scene.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    shipped = [json.loads(path.read_text()) for path in sorted(scenes.glob("*.json")) if "schema" not in path.name]
    assert len(shipped) >= 5
    wrong = [scene for scene in shipped + GOOD if not (validator.is_valid(scene) and reader_accepts(binary, scene))]
    wrong += [scene for scene in BAD if validator.is_valid(scene) or reader_accepts(binary, scene)]
    for scene in wrong:
        print("schema", validator.is_valid(scene), "reader", reader_accepts(binary, scene), json.dumps(scene)[:200])
    print(f"{len(shipped) + len(GOOD) + len(BAD)} scenes, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
