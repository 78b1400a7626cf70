-- SPDX-License-Identifier: Apache-2.0
-- Folders of sessions, by name: a folder is there as long as a session is in it.

ALTER TABLE session ADD COLUMN folder TEXT NOT NULL DEFAULT '';
