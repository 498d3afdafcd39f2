--- A memory snapshot as one HTML page: each segment a bar, each block a piece of it, with size and
-- line of the script; below, who holds how much by line, and the history.
-- @module cutorch.snapshot
local M = {}

local PAGE = [==[
<!DOCTYPE html>
<meta charset="utf-8">
<title>CUDA memory</title>
<style>
body { font: 14px sans-serif; margin: 2em; max-width: 75em }
.segment { display: flex; height: 26px; margin: 2px 0; border: 1px solid #888; min-width: 4px }
.block { min-width: 1px; box-sizing: border-box; border-right: 1px solid #fff }
.free { background: #e4e4e4 }
td, th { padding: 2px 10px; text-align: left }
td.number { text-align: right }
</style>
<h1>CUDA memory</h1>
<p id="sum"></p>
<div id="segments"></div>
<h2>Live memory by line</h2>
<table id="lines"></table>
<h2>History</h2>
<table id="history"></table>
<script>
const snapshot = @SNAPSHOT@;
const size = (n) => n >= 2 ** 20 ? (n / 2 ** 20).toFixed(1) + ' MiB'
  : n >= 1024 ? (n / 1024).toFixed(1) + ' KiB' : n + ' B';
const hue = (text) => {
  let h = 0;
  for (const c of text) h = (h * 31 + c.charCodeAt(0)) % 360;
  return h;
};
const add = (parent, tag, text, name) => {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (name) e.className = name;
  parent.appendChild(e);
  return e;
};
const s = snapshot.statistics;
document.getElementById('sum').textContent = size(s.allocated.current) + ' live (peak '
  + size(s.allocated.peak) + '), ' + size(s.reserved.current) + ' reserved (peak '
  + size(s.reserved.peak) + '), ' + size(s.inactive.current) + ' free between live blocks';
const largest = Math.max(1, ...snapshot.segments.map((g) => g.bytes));
const byLine = new Map();
for (const g of [...snapshot.segments].sort((a, b) => b.bytes - a.bytes)) {
  const bar = add(document.getElementById('segments'), 'div', undefined, 'segment');
  bar.style.width = 100 * g.bytes / largest + '%';
  for (const b of g.blocks) {
    const live = b.state !== 'free', line = b.line || '(line not recorded)';
    const piece = add(bar, 'div', undefined, live ? 'block' : 'block free');
    piece.style.flexGrow = b.bytes;
    piece.title = size(b.bytes) + ', ' + b.state + (live ? ', ' + line : '') + '\n' + b.address
      + ' of a ' + g.kind + ' segment of ' + size(g.bytes) + ', stream ' + g.stream;
    if (!live) continue;
    piece.style.background = 'hsl(' + hue(line) + ', 60%, 60%)';
    const sum = byLine.get(line) || { bytes: 0, blocks: 0 };
    sum.bytes += b.bytes;
    sum.blocks += 1;
    byLine.set(line, sum);
  }
}
const lines = document.getElementById('lines');
for (const [line, sum] of [...byLine].sort((a, b) => b[1].bytes - a[1].bytes)) {
  const row = add(lines, 'tr');
  add(row, 'td', size(sum.bytes), 'number');
  add(row, 'td', sum.blocks + (sum.blocks === 1 ? ' block' : ' blocks'));
  add(row, 'td', line).style.borderLeft = '12px solid hsl(' + hue(line) + ', 60%, 60%)';
}
const history = document.getElementById('history');
for (const e of snapshot.history) {
  const row = add(history, 'tr');
  add(row, 'td', e.seconds.toFixed(6) + ' s', 'number');
  add(row, 'td', e.event);
  add(row, 'td', size(e.bytes), 'number');
  add(row, 'td', e.address);
  add(row, 'td', e.line);
}
</script>
]==]

--- @param json string: what the allocator tells of a pool
-- @return string: the page
function M.page(json)
   -- Within a script "</" could end it; in JSON "<" stands in strings only.
   local safe = json:gsub('<', '\\u003c')
   return (PAGE:gsub('@SNAPSHOT@', function()
      return safe
   end))
end

return M
