-- Purpose: whole numbers as text, which Redis takes faster than numbers, and exactly. Operations of one trip have many in
--   common, such as the time and how long a key lives: each is written once.
-- KEYS, ARGV: none.
-- RETURNS: digitsOf(number), the number's decimal digits.
-- Keys written: none.

local format, known = string.format, {}

return function(number)
  local digits = known[number]
  if not digits then
    digits = format('%d', number)
    known[number] = digits
  end
  return digits
end
