-- The catalogue of stored states. The bytes lie in one file per part in the folder parts/, whose end repeats all but the last column, so
-- that this table can be made again from the files.
CREATE TABLE part(
    id INTEGER PRIMARY KEY,
    family BLOB NOT NULL,                 -- 16 bytes: model, backend, number types
    kind INTEGER NOT NULL,                -- 0 a group of latent pages, 1 a checkpoint
    prefix BLOB NOT NULL,                 -- 16 bytes: everything read up to its end
    tokens INTEGER NOT NULL,              -- where it ends
    parent INTEGER REFERENCES part(id),   -- the page group that it continues
    children INTEGER NOT NULL DEFAULT 0,  -- how many parts continue it; only parts without any may go
    bytes INTEGER NOT NULL,               -- size of the file
    used INTEGER NOT NULL,                -- microseconds since 1970, no two alike
    UNIQUE(family, kind, prefix)
);
CREATE INDEX part_by_position ON part(family, kind, tokens);
CREATE INDEX part_by_parent ON part(parent);
CREATE INDEX part_by_use ON part(used) WHERE children = 0;
