// The page around the timeline: numbers, source with heat, warps, conditionals, findings.

const D = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
// Fields of an instruction, in the order of data.rs.
const F = Object.fromEntries(["ptx", "file", "line", "block", "flags", "issued", "active", "on", "all", "none", "parted",
  "collectives", "waits", "barriers", "globalRequests", "sectors", "sharedRequests", "wavefronts", "wide"].map((n, i) => [n, i]));
const ptxLines = D.ptx.text.split("\n");
const fileLines = D.files.map(f => f.text.split("\n"));

function el(tag, props = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props)) if (k in e) e[k] = v; else e.setAttribute(k, v);
  e.append(...children);
  return e;
}
const name = i => D.ins[i][F.file] >= 0 ? `${D.files[D.ins[i][F.file]].path}:${D.ins[i][F.line]}` : `ptx ${D.ins[i][F.ptx]}`;
const code = i => (ptxLines[D.ins[i][F.ptx] - 1] || "").trim().replace(/\s+/g, " ");
const short = n => n >= 1e9 ? (n / 1e9).toFixed(1) + "G" : n >= 1e6 ? (n / 1e6).toFixed(1) + "M" : n >= 1e4 ? (n / 1e3).toFixed(1) + "k" : String(n);

const app = {
  code,
  label: i => D.blocks[D.ins[i][F.block]][2],
  where: i => i < 0 ? "the start" : `${name(i)}  ${code(i)}`,
  status: text => { $("status").textContent = text; },
  range: text => { $("range").textContent = text; },
};

// --- head -----------------------------------------------------------------------------------------------------
$("title").textContent = D.kernel;
$("subtitle").textContent = `grid ${D.grid.join("×")} · block ${D.block.join("×")} · ${D.warpCount} ${D.warpCount === 1 ? "warp" : "warps"} · ${D.schedule} · warpvm ${D.version}`;
const TILES = /^(smsp__inst_executed\.sum|smsp__thread_inst_executed_per_inst_executed\.ratio|smsp__thread_inst_executed_per_inst_executed\.pct|smsp__sass_average_branch_targets_threads_uniform\.pct|smsp__sass_branch_targets_threads_divergent\.sum|l1tex__average_t_sectors_per_request.*_(ld|st)\.ratio|l1tex__data_bank_conflicts.*_(ld|st)\.sum)$/;
for (const [metric, label, value] of D.metrics) if (TILES.test(metric)) {
  $("tiles").append(el("div", { className: "tile", title: metric }, el("b", {}, value), el("span", {}, label)));
}
const root = document.documentElement;
$("theme").onclick = () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  timeline.draw(); legend();
};
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => timeline.draw());
$("keys").onclick = () => {
  const list = $("keylist");
  list.hidden = !list.hidden;
  $("keys").setAttribute("aria-expanded", String(!list.hidden));
};

// --- source -----------------------------------------------------------------------------------------------------
// A pane shows a text; each line knows its instructions.
class Pane {
  constructor(title, lines, instructionsOf) {
    this.lines = lines; this.of = instructionsOf; this.at = 0;
    this.rows = [];
    this.root = el("div", { className: "pane", tabIndex: 0, role: "listbox", ariaLabel: title });
    this.root.append(el("div", { className: "head" }, el("span", {}, "issued"), el("span", {}, "lanes"),
      el("span", {}, "line"), el("span", { className: "text" }, title)));
    lines.forEach((text, index) => {
      const row = el("div", { className: "row", role: "option", id: `${title}-${index + 1}` }, el("span"), el("span"),
        el("span", { className: "n" }, String(index + 1)), el("code", {}, text || " "));
      row.onclick = () => { this.at = index; this.choose(); };
      this.rows.push(row);
      this.root.append(row);
    });
    this.root.addEventListener("keydown", e => this.key(e));
  }
  key(e) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9 }[e.key];
    if (step === undefined && e.key !== "Enter") return;
    e.preventDefault();
    if (e.key === "Enter") { jump(1); return; }
    this.at = Math.max(0, Math.min(this.lines.length - 1, this.at + step));
    this.choose();
  }
  choose() { choose(this, new Set(this.of(this.at + 1))); }
  heat(value, most) {
    this.rows.forEach((row, index) => {
      let issued = 0, active = 0, hot = 0;
      const all = this.of(index + 1);
      for (const i of all) { issued += D.ins[i][F.issued]; active += D.ins[i][F.active]; hot += value(D.ins[i]); }
      row.children[0].textContent = issued ? short(issued) : "";
      row.children[1].textContent = issued ? (active / issued).toFixed(1) : "";
      row.classList.toggle("cold", !issued);
      const share = most ? hot / most : 0;
      row.children[0].style.background = share ? `rgba(var(--heat), ${(0.1 + 0.75 * share).toFixed(3)})` : "";
    });
  }
  most(value) {
    return Math.max(1, ...this.lines.map((_, index) => this.of(index + 1).reduce((sum, i) => sum + value(D.ins[i]), 0)));
  }
  show(pick, focus) {
    let first = -1;
    this.rows.forEach((row, index) => {
      const has = this.of(index + 1).some(i => pick.has(i));
      row.classList.toggle("pick", focus && index === this.at);
      row.classList.toggle("also", !focus && has);
      if (has && first < 0) first = index;
    });
    const row = focus ? this.rows[this.at] : this.rows[first];
    if (focus) this.root.setAttribute("aria-activedescendant", row.id); else if (first >= 0) this.at = first;
    if (row) this.reveal(row);
  }
  reveal(row) {
    const box = this.root, top = row.offsetTop - 24, bottom = row.offsetTop + row.offsetHeight;
    if (top < box.scrollTop) box.scrollTop = top - 40;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight + 60;
  }
}

const index = (key, keep) => {
  const map = new Map();
  D.ins.forEach((x, i) => { if (keep(x)) { const k = x[key]; if (!map.has(k)) map.set(k, []); map.get(k).push(i); } });
  return line => map.get(line) || [];
};
const ptxPane = new Pane(D.ptx.path, ptxLines, index(F.ptx, () => true));
const filePanes = D.files.map((f, n) => new Pane(f.path, fileLines[n], index(F.line, x => x[F.file] === n)));
const panes = [...filePanes, ptxPane];
let shownFile = 0, picked = new Set();

function showFile(n) {
  shownFile = n;
  $("panes").replaceChildren(...(filePanes[n] ? [filePanes[n].root] : []), ptxPane.root);
  $("panes").classList.toggle("single", !filePanes[n]);
  $("files").replaceChildren(...(D.files.length ? D.files.map((f, i) => el("button", {
    role: "tab", ariaSelected: String(i === n), onclick: () => showFile(i), className: "tab" }, f.path)) : [el("b", {}, D.ptx.path)]));
}

const HEAT = {
  issued: x => x[F.issued], lost: x => 32 * x[F.issued] - x[F.active], memory: x => x[F.sectors] + x[F.wavefronts],
};
function heat() {
  const value = HEAT[$("heat").value];
  for (const pane of panes) pane.heat(value, pane.most(value));
}
$("heat").onchange = heat;

function choose(pane, pick) {
  picked = pick;
  timeline.pick = pick;
  point(new Set());
  if (pane === ptxPane && pick.size) {
    const file = D.ins[[...pick][0]][F.file];
    if (file >= 0 && file !== shownFile) showFile(file);
  }
  for (const p of panes) p.show(pick, p === pane);
  timeline.draw();
  if (pick.size) open("warps");
}

// Moves the timeline to the next (or previous) time that the chosen line runs.
function jump(direction, from) {
  if (!picked.size || !timeline.trace) return;
  const center = timeline.from + timeline.span / 2;
  const at = from ?? (jump.at !== undefined && Math.abs(jump.at + 0.5 - center) < 1 ? jump.at : Math.floor(center));
  let step = timeline.trace.next(at, picked, direction);
  if (step < 0) step = timeline.trace.next(direction > 0 ? -1 : timeline.trace.steps, picked, direction);
  if (step < 0) { app.status("this warp does not run the chosen line"); return; }
  jump.at = step;
  timeline.center(step + 0.5, Math.min(timeline.span, 36));
  app.status(timeline.describe(step, -1));
}

// --- timeline ---------------------------------------------------------------------------------------------------
const timeline = new Timeline($("canvas"), $("map"), app);
const traces = new Map();
const waits = i => D.ins[i][F.flags] & 1;
const blockOf = i => D.ins[i][F.block];
const warpName = (id, warp) => `CTA (${id.join(",")}) warp ${warp}`;

function showWarp(n) {
  if (!D.traces[n]) return;
  if (!traces.has(n)) traces.set(n, new Trace(D.traces[n], waits, blockOf));
  $("warp").value = String(n);
  timeline.show(traces.get(n));
  legend();
}
function legend() {
  const items = [...timeline.colors].slice(0, 14).map(([block, color]) => {
    const i = el("i");
    i.style.background = color;
    return el("span", {}, i, D.blocks[block][2]);
  });
  $("legend").replaceChildren(...items, el("span", {}, "pale: held · hatched: waits in a collective or barrier · line: lanes meet"));
}
D.traces.forEach((t, n) => $("warp").append(el("option", { value: String(n) }, warpName(t.id, t.warp))));
$("warp").onchange = () => showWarp(Number($("warp").value));
$("in").onclick = () => timeline.zoom(0.5);
$("out").onclick = () => timeline.zoom(2);
$("all").onclick = () => timeline.all();

// --- tables -----------------------------------------------------------------------------------------------------
const number = text => el("td", { className: "num" }, String(text));
function table(heads, rows) {
  const body = el("tbody");
  rows.forEach(({ cells, act, pick }, n) => {
    const row = el("tr", {}, ...cells.map(c => c instanceof Node ? c : el("td", {}, String(c))));
    if (act) {
      row.tabIndex = n ? -1 : 0;
      row.onclick = act;
      row.onkeydown = e => {
        const to = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[e.key];
        if (to) { e.preventDefault(); row.tabIndex = -1; to.tabIndex = 0; to.focus(); }
        if (e.key === "Enter") { e.preventDefault(); act(); }
      };
    }
    row.classList.toggle("pick", !!pick);
    body.append(row);
  });
  return el("table", {}, el("thead", {}, el("tr", {}, ...heads.map(h => el("th", { className: h.startsWith("#") ? "num" : "" }, h.replace("#", ""))))), body);
}
const traceOf = (cta, warp) => D.traces.findIndex(t => t.cta === cta && t.warp === warp);

const TABS = {
  findings: { title: () => `Findings (${D.findings.length})`, show: findings },
  warps: { title: () => "Warps", show: warps },
  conditionals: { title: () => `Conditionals (${D.conditionals.length})`, show: conditionals },
  numbers: { title: () => "All numbers", show: allNumbers },
};

function findings() {
  if (!D.findings.length) return el("p", { className: "empty" }, "Nothing was found in this run.");
  const list = el("div");
  for (const f of D.findings) {
    const button = el("button", { className: `finding ${f.severity}`, onclick: () => goTo(f) },
      el("b", {}, `${f.severity}[${f.rule}]`), ` ${f.message}`);
    const lines = [f.here, ...f.related.map(r => (r[0] === null ? "" : name(r[0]) + "  ") + r[1]), ...f.notes];
    for (const line of lines) if (line) button.append(el("small", {}, line));
    list.append(button);
  }
  return list;
}
// Marks the lines of a finding, red.
function point(instructions) {
  for (const pane of panes) pane.rows.forEach((row, i) =>
    row.classList.toggle("found", instructions.size > 0 && pane.of(i + 1).some(x => instructions.has(x))));
}
function goTo(f) {
  point(new Set([f.ins, ...f.related.map(r => r[0])].filter(i => i !== null)));
  const n = f.cta ? D.traces.findIndex(t => t.id.join() === f.cta.join() && t.warp === f.warp) : -1;
  if (f.ins !== null) {
    picked = new Set([f.ins]);
    timeline.pick = picked;
    const file = D.ins[f.ins][F.file];
    if (file >= 0 && file !== shownFile) showFile(file);
    for (const p of panes) p.show(picked, false);
  }
  if (n < 0) { app.status("the warp of this finding was not traced"); timeline.draw(); return; }
  showWarp(n);
  // Lanes that never go on: the moment is the end of the trace.
  timeline.mark({ ...f, lanes: f.lanes >>> 0, stuck: timeline.trace.left !== 0 && !timeline.trace.data.cut });
  app.status(f.here || f.message);
}

function warps() {
  const named = [...picked];
  if (!named.length) {
    const rows = D.warps.map(([cta, warp, issued, active, on, branches, parted, waited]) => ({
      cells: [`CTA ${cta}`, `warp ${warp}`, ...[issued, (active / Math.max(1, issued)).toFixed(1), (on / Math.max(1, issued)).toFixed(1),
        branches, parted, waited].map(number), traceOf(cta, warp) >= 0 ? "traced" : ""],
      act: () => showWarp(traceOf(cta, warp)), pick: traceOf(cta, warp) >= 0 && String(traceOf(cta, warp)) === $("warp").value,
    }));
    return table(["CTA", "warp", "#issued", "#lanes", "#lanes on", "#branches", "#parted", "#waits", ""], rows);
  }
  const rows = [];
  for (const [cta, warp, flat] of D.details) {
    let issued = 0, active = 0;
    for (let k = 0; k < flat.length; k += 3) if (picked.has(flat[k])) { issued += flat[k + 1]; active += flat[k + 2]; }
    if (!issued) continue;
    const n = traceOf(cta, warp);
    rows.push({ cells: [`CTA ${cta}`, `warp ${warp}`, number(issued), number((active / issued).toFixed(1)), n >= 0 ? "traced: Enter shows it" : ""],
      act: () => { if (n >= 0) { showWarp(n); jump(1, -1); } } });
  }
  const all = table(["CTA", "warp", "#issued here", "#lanes", ""], rows);
  const back = el("button", { onclick: () => { choose(null, new Set()); open("warps"); } }, "all lines");
  return el("div", {}, el("p", { className: "empty" }, `Warps that run ${name(named[0])} `, back), all);
}

function conditionals() {
  const rows = D.conditionals.map(([ins, kind, words, needed, text]) => ({
    cells: [name(ins), el("td", { className: "mono" }, text), kind, words, needed ? "convergence point needed" : ""],
    act: () => choose2(ins),
  }));
  return table(["line", "instruction", "became", "in this run", ""], rows);
}
function choose2(ins) {
  picked = new Set([ins]);
  timeline.pick = picked;
  const file = D.ins[ins][F.file];
  if (file >= 0 && file !== shownFile) showFile(file);
  for (const p of panes) p.show(picked, false);
  jump(1);
}

function allNumbers() {
  const rows = D.metrics.map(([metric, label, value]) => ({ cells: [label, number(value), el("td", { className: "mono" }, metric)] }));
  rows.push({ cells: ["with waves of 64 lanes: instructions issued, at least", number(D.wide.issued), ""] });
  rows.push({ cells: ["with waves of 64 lanes: active lanes per instruction", number(D.wide.lanes.toFixed(2)), ""] });
  return table(["", "#value", "Nsight Compute calls it"], rows);
}

function open(tab) {
  $("tabs").replaceChildren(...Object.entries(TABS).map(([key, t]) => el("button", {
    id: `tab-${key}`, role: "tab", ariaSelected: String(key === tab), onclick: () => open(key) }, t.title())));
  $("panel").replaceChildren(TABS[tab].show());
}

document.addEventListener("keydown", e => {
  if (e.target.tagName === "SELECT" || e.ctrlKey || e.metaKey || e.altKey) return;
  const n = Number($("warp").value);
  const todo = { n: () => jump(1), p: () => jump(-1), w: () => showWarp((n + 1) % D.traces.length),
    W: () => showWarp((n + D.traces.length - 1) % D.traces.length), "?": () => $("keys").click() }[e.key];
  if (todo) { e.preventDefault(); todo(); }
});

showFile(0);
heat();
showWarp(0);
open(D.findings.length ? "findings" : "warps");
if (D.findings.length) goTo(D.findings[0]);
else {
  // The hottest line is where the arrows begin.
  const pane = filePanes[0] || ptxPane, value = HEAT.issued;
  let best = 0, at = 0;
  pane.lines.forEach((_, i) => { const v = pane.of(i + 1).reduce((s, k) => s + value(D.ins[k]), 0); if (v > best) { best = v; at = i; } });
  pane.at = at;
}
// Panes begin where the code does, not at the comments above it.
for (const pane of panes) {
  const first = pane.lines.findIndex((_, i) => pane.of(i + 1).length);
  if (!pane.root.scrollTop && first > 4) pane.root.scrollTop = pane.rows[first].offsetTop - 60;
}
document.documentElement.dataset.ready = "yes";
