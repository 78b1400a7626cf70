// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pal::desktop {

class TranscriptView;

// The transcript for screen readers: a list with one child for each message, whose name is who speaks and what is said, whose description
// is its state and timing, and whose text can be read line by line.

// Once for the process or more often; the first call registers the factory.
void installTranscriptAccessibility();
// These cost nothing while no screen reader listens.
void announceReset(TranscriptView& view);             // children have gone
void announceMessage(TranscriptView& view, int row);  // is new, or complete
void announceFocus(TranscriptView& view, int row);

}  // namespace pal::desktop
