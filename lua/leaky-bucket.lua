-- Purpose: not there yet.
-- KEYS, ARGV: none.
-- RETURNS: nothing of use.
-- Keys written: none.
return {}
