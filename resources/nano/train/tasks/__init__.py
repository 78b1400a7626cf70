# SPDX-License-Identifier: Apache-2.0
"""Task families of the embedded model; each module offers FAMILIES (see dialog.py)."""
