#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the files of past schemas that the migration tests open, from the scripts as they were when released.

  make.py SCHEMA OUT      from the root of the source tree, e.g. make.py 1 tests/data/chats/schema_1.db
"""
import hashlib
import sqlite3
import sys
from pathlib import Path

schema, out = int(sys.argv[1]), Path(sys.argv[2])
out.unlink(missing_ok=True)
db = sqlite3.connect(out, isolation_level=None)
db.execute("PRAGMA application_id = 0x50616C43")
for script in sorted(Path("resources/sql/chats").glob("*.sql"))[:schema]:
    db.executescript(script.read_text())
db.execute(f"PRAGMA user_version = {schema}")
text = b"Anna did."
db.execute("INSERT INTO session (id, name, created_ms, changed_ms, head_id, messages, tokens) VALUES (1, '时钟 and clocks', 1, 2, 4, 4, 9)")
db.execute("INSERT INTO source (id, sha256, bytes, media_type, created_ms) VALUES (1, ?, ?, 'text/plain', 1)",
           (hashlib.sha256(text).digest(), len(text)))
db.execute("INSERT INTO extraction VALUES (1, 1, 'plain-text', '1', 'Anna did.', '[]', '[]', 1)")
for id, parent, role, words in ((1, None, "user", "Who repaired the clock?"), (2, 1, "assistant", "Anna."),
                                (3, 1, "assistant", "Bert."), (4, 2, "user", "安娜修理了时钟。")):
    db.execute("INSERT INTO message (id, session_id, parent_id, role, state, created_ms, text, tokens, path_tokens) "
               "VALUES (?, 1, ?, ?, 'complete', 1, ?, 3, 3)", (id, parent, role, words))
db.execute("INSERT INTO attachment (message_id, position, source_id, extraction_id, kind, name) VALUES (1, 0, 1, 1, 'document', 'notes.txt')")
db.execute("INSERT INTO message_ids VALUES (2, 'v', ?)", (b"".join(i.to_bytes(4, "little") for i in (7, 8, 163839)),))
db.execute("VACUUM")
db.close()
