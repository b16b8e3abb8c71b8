#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that a library that reads JSON into a class with an integer member refuses what is
# no integer. Of nine libraries three do (msgspec, dacite, adaptix), without options:
#
# * cattrs, marshmallow, mashumaro, typedload and dataclasses-json take 1.9 for 1, and -0.9 for 0.
# * pydantic refuses 1.9 and takes 9007199254740993.0, which is a whole number, for the number
#   before it. So do the five. pydantic refuses 1e19 and takes 10000000000000000000.
# * These six take the text " 7_0 " for 70, as Python's int() does.
# * dacite and dataclasses-json keep true as a bool, so that the member is no number. Others take it
#   for 1. dataclasses-json keeps null.
#
# Seen with adaptix 3.0.0b12, cattrs 26.2.1, dacite 1.9.2, dataclasses-json 0.6.7, marshmallow
# 3.26.2, mashumaro 3.23, msgspec 0.23.0, pydantic 2.12.4, typedload 2.41. Exits with 1 if that has
# changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check adaptix==3.0.0b12 cattrs==26.2.1 dacite==1.9.2 \
  dataclasses-json==0.6.7 marshmallow==3.26.2 mashumaro==3.23 msgspec==0.23.0 pydantic==2.12.4 typedload==2.41
cat >seen.py <<'PYTHON'
import dataclasses
import json
import warnings

import adaptix
import cattrs
import dacite
import dataclasses_json
import marshmallow
import mashumaro.mixins.json
import msgspec
import pydantic
import typedload

warnings.simplefilter("ignore")


@dataclasses_json.dataclass_json
@dataclasses.dataclass
class Plain:
    n: int


@dataclasses.dataclass
class Mixed(mashumaro.mixins.json.DataClassJSONMixin):
    n: int


class Model(pydantic.BaseModel):
    n: int


class Struct(msgspec.Struct):
    n: int


schema = marshmallow.Schema.from_dict({"n": marshmallow.fields.Integer()})()
retort = adaptix.Retort()
readers = {
    "adaptix": lambda text: retort.load(json.loads(text), Plain).n,
    "cattrs": lambda text: cattrs.structure(json.loads(text), Plain).n,
    "dacite": lambda text: dacite.from_dict(Plain, json.loads(text)).n,
    "dataclasses-json": lambda text: Plain.from_json(text).n,
    "marshmallow": lambda text: schema.loads(text)["n"],
    "mashumaro": lambda text: Mixed.from_json(text).n,
    "msgspec": lambda text: msgspec.json.decode(text, type=Struct).n,
    "pydantic": lambda text: Model.model_validate_json(text).n,
    "typedload": lambda text: typedload.load(json.loads(text), Plain).n,
}
for value in ("1.9", "-0.9", "9007199254740993.0", "1e19", "10000000000000000000", '" 7_0 "', "true", "null"):
    found = {}
    for name, read in readers.items():
        try:
            said = repr(read(f'{{"n": {value}}}'))
        except Exception:
            said = "refused"
        found.setdefault(said, []).append(name)
    print(value)
    for said in sorted(found):
        print(f"  {said}: {', '.join(found[said])}")
PYTHON
env/bin/python seen.py | tee seen
cat >expected <<'SEEN'
1.9
  1: cattrs, dataclasses-json, marshmallow, mashumaro, typedload
  refused: adaptix, dacite, msgspec, pydantic
-0.9
  0: cattrs, dataclasses-json, marshmallow, mashumaro, typedload
  refused: adaptix, dacite, msgspec, pydantic
9007199254740993.0
  9007199254740992: cattrs, dataclasses-json, marshmallow, mashumaro, pydantic, typedload
  refused: adaptix, dacite, msgspec
1e19
  10000000000000000000: cattrs, dataclasses-json, marshmallow, mashumaro, typedload
  refused: adaptix, dacite, msgspec, pydantic
10000000000000000000
  10000000000000000000: adaptix, cattrs, dacite, dataclasses-json, marshmallow, mashumaro, msgspec, pydantic, typedload
" 7_0 "
  70: cattrs, dataclasses-json, marshmallow, mashumaro, pydantic, typedload
  refused: adaptix, dacite, msgspec
true
  1: cattrs, mashumaro, pydantic, typedload
  True: dacite, dataclasses-json
  refused: adaptix, marshmallow, msgspec
null
  None: dataclasses-json
  refused: adaptix, cattrs, dacite, marshmallow, mashumaro, msgspec, pydantic, typedload
SEEN
diff expected seen
