-- Of a hundred requests, ninety look up a random vehicle, nine list twenty and one creates a vehicle. A
-- response with an error or with another status than 200 counts as wrong.
local vehicles = 1000
local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("number", #threads)
end

function init(arguments)
  vehicles = tonumber(arguments[1])
  math.randomseed(tonumber(arguments[2]) * 1000 + number)
  wrong, lookups, lists, creates = 0, 0, 0, 0
end

local headers = { ["Content-Type"] = "application/json" }
local lookup = [[{"query":"query Find($id: ID) { vehicle(id: $id) { id type modelCode brandName launchDate } }","variables":{"id":"%d"}}]]
local list = [[{"query":"{ vehicles(count: 20) { id type modelCode brandName launchDate } }"}]]
local create = [[{"query":"mutation { createVehicle(type: \"SUV\", modelCode: \"XC60\", brandName: \"Volvo\", launchDate: \"2017-03-07\") { id } }"}]]

function request()
  local chance, body = math.random(100), list
  if chance <= 90 then
    body, lookups = lookup:format(math.random(vehicles)), lookups + 1
  elseif chance <= 99 then
    lists = lists + 1
  else
    body, creates = create, creates + 1
  end
  return wrk.format("POST", nil, headers, body)
end

function response(status, _, body)
  if status ~= 200 or body:find('"errors"', 1, true) or body:find('"vehicle":null', 1, true) then
    wrong = wrong + 1
  end
end

function done(summary, latency)
  local count = function(name)
    local sum = 0
    for _, thread in ipairs(threads) do sum = sum + thread:get(name) end
    return sum
  end
  local lost = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format("RESULT %.0f %.2f %.2f %d %d %d %d\n",
    summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    count("lookups"), count("lists"), count("creates"), count("wrong") + lost))
end
