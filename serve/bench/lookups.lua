-- Random dice hands and Jenga towers, half of each. The argument is the number of different requests.
local letters = { "R", "G", "B" }

local function dice()
  local hand = function()
    local faces = {}
    for place = 1, 5 do faces[place] = math.random(6) end
    return table.concat(faces, "%20")
  end
  return "/api/dice?input=1%0A" .. hand() .. "%0A" .. hand()
end

local function jenga()
  local levels = {}
  for level = 1, 6 do
    levels[level] = letters[math.random(3)] .. letters[math.random(3)] .. letters[math.random(3)]
  end
  return "/api/jenga?input=6%0A" .. table.concat(levels, "%0A")
end

local paths = {}

function init(arguments)
  math.randomseed(1)
  for place = 1, tonumber(arguments[1]) do paths[place] = wrk.format("GET", place % 2 == 0 and dice() or jenga()) end
end

local place = 0

function request()
  place = place % #paths + 1
  return paths[place]
end
