-- SPDX-License-Identifier: Apache-2.0
-- How much of an attachment the model gets: pages, frames, sizes of pictures.
ALTER TABLE attachment ADD COLUMN options TEXT NOT NULL DEFAULT '{}';  -- JSON object
