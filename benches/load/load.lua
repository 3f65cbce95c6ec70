-- Sends one body again and again, with its varying parts filled in, and checks every answer.
--   LOAD_BODY    the body; @ID@ becomes a random id, @N@ a number that is new each time
--   LOAD_IDS     the highest of the random ids
--   LOAD_EXPECT  what every good answer contains
local threads = {}

function setup(thread)
  thread:set("seed", os.time() * 7 + #threads)
  table.insert(threads, thread)
end

function init()
  bad, sample = 0, ""
  math.randomseed(seed)
  ids = tonumber(os.getenv("LOAD_IDS"))
  expect = os.getenv("LOAD_EXPECT")
  local text = os.getenv("LOAD_BODY")
  parts, kinds = {}, {}
  local at = 1
  while true do
    local first, last, kind = text:find("@(%u+)@", at)
    if not first then break end
    table.insert(parts, text:sub(at, first - 1))
    table.insert(kinds, kind)
    at = last + 1
  end
  table.insert(parts, text:sub(at))
  n = seed % 1000 * 1000000
  head = "POST " .. wrk.path .. " HTTP/1.1\r\nHost: " .. wrk.host .. ":" .. wrk.port ..
    "\r\nContent-Type: application/json\r\nAccept: application/json\r\nContent-Length: "
  if #kinds == 0 then fixed = head .. #text .. "\r\n\r\n" .. text end
end

function request()
  if fixed then return fixed end
  local filled = {}
  for i = 1, #kinds do
    filled[2 * i - 1] = parts[i]
    if kinds[i] == "ID" then
      filled[2 * i] = math.random(1, ids)
    else
      n = n + 1
      filled[2 * i] = n
    end
  end
  filled[2 * #kinds + 1] = parts[#parts]
  local body = table.concat(filled)
  return head .. #body .. "\r\n\r\n" .. body
end

function response(status, _, body)
  if status ~= 200 or body:find('"errors"', 1, true) or not body:find(expect, 1, true) then
    bad = bad + 1
    if sample == "" then sample = status .. " " .. body:sub(1, 300) end
  end
end

function done(summary, latency)
  local wrong, example = 0, ""
  for _, thread in ipairs(threads) do
    wrong = wrong + thread:get("bad")
    if example == "" then example = thread:get("sample") end
  end
  local lost = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"wrong":%d,"lost":%d,"duration_us":%d,"p50_us":%d,"p99_us":%d}\n',
    summary.requests, wrong, lost.connect + lost.read + lost.write + lost.timeout,
    summary.duration, latency:percentile(50), latency:percentile(99)))
  if example ~= "" then io.write("WRONG ", (example:gsub("%s+", " ")), "\n") end
end
