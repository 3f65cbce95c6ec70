-- Repeats one request body with its placeholders replaced, and checks every response.
--   LOAD_BODY    the body; @ID@ becomes a random id, @N@ a unique number, @BRAND@ a random brand,
--                @CURSOR@ a random cursor
--   LOAD_IDS     the highest of the random ids
--   LOAD_CURSORS the cursors, separated by spaces
--   LOAD_EXPECT  a substring of every correct response
local thread

function setup(only) thread = only end

function init()
  wrong, example = 0, ""
  math.randomseed(os.time())
  n = os.time() % 1000 * 1000000
  ids, expect = tonumber(os.getenv("LOAD_IDS")), os.getenv("LOAD_EXPECT")
  parts, kinds, cursors = {}, {}, {}
  for cursor in os.getenv("LOAD_CURSORS"):gmatch("%S+") do table.insert(cursors, cursor) end
  local tail = os.getenv("LOAD_BODY"):gsub("(.-)@(%u+)@", function(part, kind)
    table.insert(parts, part)
    table.insert(kinds, kind)
    return ""
  end)
  table.insert(parts, tail)
  head = "POST " .. wrk.path .. " HTTP/1.1\r\nHost: " .. wrk.host .. ":" .. wrk.port ..
    "\r\nContent-Type: application/json\r\nAccept: application/json\r\nContent-Length: "
  if #kinds == 0 then fixed = head .. #tail .. "\r\n\r\n" .. tail end
end

function request()
  if fixed then return fixed end
  local filled = {}
  for i = 1, #kinds do
    filled[2 * i - 1] = parts[i]
    if kinds[i] == "ID" then
      filled[2 * i] = math.random(1, ids)
    elseif kinds[i] == "BRAND" then
      filled[2 * i] = string.format("%02d%d", math.random(0, 39), math.random(1, 9))
    elseif kinds[i] == "CURSOR" then
      filled[2 * i] = cursors[math.random(#cursors)]
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
    wrong = wrong + 1
    if example == "" then example = status .. " " .. body:sub(1, 300) end
  end
end

function done(summary, latency)
  local errors = summary.errors
  if thread:get("wrong") > 0 then
    return io.write(thread:get("wrong"), " wrong responses, for example ", thread:get("example"), "\n")
  end
  io.write(string.format('\nRESULT {"requests":%d,"lost":%d,"duration_us":%d,"p50_us":%d,"p99_us":%d}\n',
    summary.requests, errors.connect + errors.read + errors.write + errors.timeout,
    summary.duration, latency:percentile(50), latency:percentile(99)))
end
