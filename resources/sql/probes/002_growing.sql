-- SPDX-License-Identifier: Apache-2.0
-- Replies whose bins are not all in `series` yet: they are written, or the program ended before they were. Made where it is missing, so
-- that programs that do not know it go on reading and writing the file.
CREATE TABLE IF NOT EXISTS growing (message INTEGER PRIMARY KEY REFERENCES reply ON DELETE CASCADE);
