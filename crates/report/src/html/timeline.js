// The timeline of one warp on a canvas: 32 lanes across, time down.
//
// Far in, runs are drawn one by one, from the nearest key frame on. Far out, a row of pixels stands for many steps and is
// drawn from the sums of the trace. So what is drawn never grows with the length of the trace.

const PALETTE = ["#3b7ddd", "#e8a317", "#2f9e5b", "#e0593f", "#9257d6", "#23a6b5", "#d9588f", "#8d6e3f", "#6f86a8", "#87a51f"];
const HEAD = 22, GUTTER = 58, ROW = 14;

class Timeline {
  constructor(canvas, map, app) {
    Object.assign(this, { canvas, overview: map, app, from: 0, span: 1, finding: null, pick: new Set() });
    new ResizeObserver(() => this.draw()).observe(canvas);
    canvas.addEventListener("keydown", e => this.#key(e));
    canvas.addEventListener("wheel", e => this.#wheel(e), { passive: false });
    canvas.addEventListener("mousemove", e => this.#hover(e));
    canvas.addEventListener("dblclick", e => this.zoom(0.4, this.stepAt(e.offsetY)));
    let drag = null;
    canvas.addEventListener("pointerdown", e => { drag = { y: e.clientY, from: this.from }; canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener("pointerup", () => { drag = null; });
    canvas.addEventListener("pointermove", e => {
      if (drag) this.move(drag.from - (e.clientY - drag.y) / this.scale - this.from);
    });
    const jump = e => { if (e.buttons & 1) this.center(e.offsetY / this.overview.clientHeight * this.total); };
    map.addEventListener("pointerdown", jump);
    map.addEventListener("pointermove", jump);
  }

  show(trace) {
    this.trace = trace;
    this.total = Math.max(1, trace.steps + (trace.left ? Math.max(3, trace.steps * 0.08) : 0));
    this.finding = null;
    this.colors = new Map();
    // Blocks get colours in the order in which the warp comes to them.
    for (const index of new Set(trace.seq)) this.color(trace.blockOf(trace.runs[3 * index]));
    this.all();
  }

  color(block) {
    if (!this.colors.has(block)) this.colors.set(block, PALETTE[this.colors.size % PALETTE.length]);
    return this.colors.get(block);
  }

  get height() { return this.canvas.clientHeight - HEAD; }
  get scale() { return this.height / this.span; }
  y(step) { return HEAD + (step - this.from) * this.scale; }
  stepAt(y) { return this.from + (y - HEAD) / this.scale; }

  view(from, span) {
    this.span = Math.min(this.total, Math.max(8, span));
    this.from = Math.min(Math.max(0, from), this.total - this.span);
    if (!this.pending) { this.pending = true; requestAnimationFrame(() => { this.pending = false; this.draw(); }); }
  }
  all() { this.view(0, this.total); }
  move(steps) { this.view(this.from + steps, this.span); }
  center(step, span = this.span) { this.view(step - span / 2, span); }
  zoom(factor, at = this.from + this.span / 2) {
    const span = Math.min(this.total, Math.max(8, this.span * factor));
    this.view(at - (at - this.from) * span / this.span, span);
  }

  // Shows a finding: the moment, and the lanes that it is about.
  mark(finding) {
    this.finding = finding;
    const end = finding.stuck ? this.trace.steps + (this.total - this.trace.steps) / 2 : finding.step;
    this.center(end, Math.min(this.total, Math.max(36, this.total * 0.01)));
  }

  #key(e) {
    const page = this.span * 0.8, step = Math.max(1, this.span * 0.06);
    const todo = {
      ArrowDown: () => this.move(step), ArrowUp: () => this.move(-step), PageDown: () => this.move(page),
      PageUp: () => this.move(-page), Home: () => this.view(0, this.span), End: () => this.view(this.total, this.span),
      "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2), "0": () => this.all(),
    }[e.key];
    if (!todo || e.ctrlKey || e.metaKey) return;
    e.preventDefault();
    todo();
  }
  #wheel(e) {
    e.preventDefault();
    if (e.ctrlKey || e.metaKey) this.zoom(Math.exp(e.deltaY * 0.004), this.stepAt(e.offsetY));
    else this.move(e.deltaY / this.scale);
  }
  #hover(e) {
    const step = Math.floor(this.stepAt(e.offsetY)), lane = Math.floor((e.offsetX - GUTTER) / this.cell);
    this.app.status(this.describe(step, lane));
  }

  describe(step, lane) {
    const t = this.trace;
    if (!t || step < 0 || step >= this.total) return "";
    const head = `step ${Math.min(step, t.steps)}`;
    if (step >= t.steps) {
      if (lane < 0 || lane > 31) return `${head} · the warp does not go on`;
      return `${head} · lane ${lane} · ${t.left >>> lane & 1 ? "waits for ever: " + this.app.where(t.last.at[lane]) : "has exited"}`;
    }
    let text = head;
    t.scan(step, step + 1, (start, end, first, mask, lanes) => {
      if (step < start || step >= end) return;
      const ins = first + (step - start);
      text += ` · lanes ${lanesText(mask)} run ${this.app.where(ins)}`;
      if (lane < 0 || lane > 31 || mask >>> lane & 1) return;
      const state = !(t.exists >>> lane & 1) ? "is not there" : lanes.gone >>> lane & 1 ? "has exited"
        : lanes.at[lane] < 0 ? "has not begun" : (lanes.waits >>> lane & 1 ? "waits in " : "is held after ") + this.app.where(lanes.at[lane]);
      text = `${head} · lane ${lane} ${state}`;
    });
    return text;
  }

  draw() {
    const dpr = window.devicePixelRatio || 1, c = this.canvas, w = c.clientWidth, h = c.clientHeight;
    if (!this.trace || !w || !h) return;
    c.width = w * dpr; c.height = h * dpr;
    const g = this.g = c.getContext("2d");
    g.scale(dpr, dpr);
    const style = getComputedStyle(document.documentElement);
    const get = name => style.getPropertyValue(name).trim();
    this.ink = get("--ink"); this.soft = get("--soft"); this.line = get("--line"); this.bad = get("--bad");
    this.card = get("--card"); this.accent = get("--accent");
    this.mono = `11px ${get("--mono")}`;
    this.hatch = this.#hatch();
    this.cell = Math.max(6, Math.min(13, Math.floor((w - GUTTER) * 0.6 / 32)));
    this.right = GUTTER + 32 * this.cell;
    g.save();
    g.beginPath(); g.rect(0, HEAD, w, h - HEAD); g.clip();
    if (this.span / this.height > this.trace.bucket && this.trace.bucket > 1 || this.scale < 0.2) this.#sums(); else this.#runs();
    this.#tail();
    this.#marks();
    if (this.finding) this.#finding();
    g.restore();
    this.#head(w);
    this.#overview();
    const to = Math.min(this.trace.steps, this.from + this.span);
    this.app.range(`steps ${Math.floor(this.from)}–${Math.ceil(to)} of ${this.trace.steps}${this.trace.data.cut ? ", cut" : ""}`);
  }

  #hatch() {
    const p = document.createElement("canvas");
    p.width = p.height = 5;
    const g = p.getContext("2d");
    g.strokeStyle = this.ink; g.globalAlpha = 0.5; g.lineWidth = 1;
    g.beginPath(); g.moveTo(-1, 6); g.lineTo(6, -1); g.moveTo(-1, 1); g.lineTo(1, -1); g.moveTo(4, 6); g.lineTo(6, 4); g.stroke();
    return this.g.createPattern(p, "repeat");
  }

  // A lane that does not run: dim, hatched where it waits for others.
  #idle(l, top, height, at, waits) {
    const g = this.g, x = GUTTER + l * this.cell;
    g.globalAlpha = 0.2; g.fillStyle = this.color(this.trace.blockOf(at));
    g.fillRect(x, top, this.cell - 1, height);
    g.globalAlpha = 1;
    if (waits) { g.fillStyle = this.hatch; g.fillRect(x, top, this.cell - 1, height); }
  }

  #runs() {
    const g = this.g, t = this.trace;
    let labelled = HEAD - ROW, label = "";
    const rows = this.scale >= ROW - 1;
    g.font = this.mono; g.textBaseline = "middle";
    t.scan(this.from, this.from + this.span, (start, end, first, mask, lanes) => {
      const top = this.y(start), height = Math.max(this.y(end) - top, 0.5);
      const gap = this.scale >= 3 ? 0.5 : 0;
      for (let l = 0; l < 32; l++) {
        if (!(t.exists >>> l & 1) || lanes.gone >>> l & 1) continue;
        if (mask >>> l & 1) {
          g.fillStyle = this.color(t.blockOf(first));
          g.fillRect(GUTTER + l * this.cell, top, this.cell - 1, height - gap);
        } else if (lanes.at[l] >= 0) this.#idle(l, top, height, lanes.at[l], lanes.waits >>> l & 1);
      }
      if (this.scale >= 6) {
        g.fillStyle = this.card; g.globalAlpha = 0.45;
        for (let s = start + 1; s < end; s++) g.fillRect(GUTTER, this.y(s) - 0.5, this.right - GUTTER, 1);
        g.globalAlpha = 1;
      }
      for (let s = start; s < end; s++) if (this.pick.has(first + s - start)) {
        g.fillStyle = this.accent; g.fillRect(GUTTER - 6, this.y(s), 4, Math.max(this.scale - 1, 1));
      }
      if (rows) {
        for (let s = Math.max(start, Math.floor(this.from)); s < end; s++) this.#text(this.y(s + 0.5), this.app.code(first + s - start), s);
      } else if (top >= labelled + ROW && (this.app.label(first) !== label || top >= labelled + 4 * ROW)) {
        label = this.app.label(first);
        this.#text(top + 6, label, start);
        labelled = top;
      }
    });
  }

  #text(y, text, step) {
    const g = this.g;
    g.fillStyle = this.ink; g.textAlign = "left";
    g.fillText(text, this.right + 8, y);
    g.fillStyle = this.soft; g.textAlign = "right";
    g.fillText(String(step), GUTTER - 9, y);
  }

  #sums() {
    const g = this.g, s = this.trace.sums();
    let shown = HEAD - 3 * ROW;
    g.font = this.mono; g.textBaseline = "middle";
    for (let y = HEAD; y < HEAD + this.height; y++) {
      const a = Math.floor(this.stepAt(y) / s.B), b = Math.max(a + 1, Math.ceil(this.stepAt(y + 1) / s.B));
      if (a >= s.n) break;
      for (let l = 0; l < 32; l++) {
        let ran = 0, best = -1, block = 0, waited = 0, gone = true;
        for (let k = a; k < Math.min(b, s.n); k++) {
          const j = 32 * k + l;
          ran += s.ran[j];
          if (s.waited[j] !== 65535 || s.ran[j]) { gone = false; waited += s.waited[j] === 65535 ? 0 : s.waited[j]; }
          if (s.ran[j] > best) { best = s.ran[j]; block = s.block[j]; }
        }
        if (gone || !(this.trace.exists >>> l & 1)) continue;
        const steps = (Math.min(b, s.n) - a) * s.B;
        g.globalAlpha = 0.2 + 0.8 * Math.sqrt(Math.min(1, ran / steps));
        g.fillStyle = this.color(block);
        g.fillRect(GUTTER + l * this.cell, y, this.cell - 1, 1);
        if (waited > steps / 2) { g.globalAlpha = 1; g.fillStyle = this.hatch; g.fillRect(GUTTER + l * this.cell, y, this.cell - 1, 1); }
      }
      g.globalAlpha = 1;
      if (y >= shown + 3 * ROW) {
        const run = this.trace.find(a * s.B);
        if (run < this.trace.seq.length) this.#text(y + 6, this.app.label(this.trace.run(run)[0]), a * s.B);
        shown = y;
      }
    }
  }

  // After the last step: who never goes on.
  #tail() {
    const t = this.trace;
    if (!t.left || this.from + this.span <= t.steps) return;
    const top = this.y(t.steps), g = this.g;
    for (const l of bitsOf(t.left)) if (t.last.at[l] >= 0) this.#idle(l, top, HEAD + this.height - top, t.last.at[l], true);
    g.fillStyle = this.soft; g.font = this.mono; g.textAlign = "left"; g.textBaseline = "middle";
    if (HEAD + this.height - top >= ROW && !this.finding) g.fillText(t.data.cut ? "not recorded" : "the warp does not go on", this.right + 8, top + 8);
  }

  // Lines across the lanes that meet.
  #marks() {
    const g = this.g, t = this.trace, [a, b] = t.marks(this.from, this.from + this.span);
    const dense = b - a > this.height / 3;
    for (let i = a; i < b; i += dense ? Math.max(1, Math.floor((b - a) / this.height)) : 1) {
      const m = t.mark(i);
      if (m.kind === 3 || !m.lanes) continue;
      const y = Math.round(this.y(m.step));
      if (dense) { g.fillStyle = this.soft; g.fillRect(this.right, y, 3, 1); continue; }
      const first = Math.clz32(m.lanes & -m.lanes) ^ 31, last = 31 - Math.clz32(m.lanes);
      const left = GUTTER + first * this.cell, right = GUTTER + (last + 1) * this.cell - 1;
      g.fillStyle = m.kind === 2 ? this.soft : this.ink;
      g.globalAlpha = m.kind === 2 ? 0.9 : 1;
      if (m.kind === 2) { for (let x = left; x < right; x += 4) g.fillRect(x, y - 0.5, 2, 1); }
      else {
        g.fillRect(left, y - 0.5, right - left, 1);
        if (m.kind === 1) g.fillRect(left, y - 3, right - left, 1);
        for (const l of bitsOf(m.lanes)) {
          g.beginPath(); g.arc(GUTTER + l * this.cell + (this.cell - 1) / 2, y, Math.min(2.6, this.cell / 3), 0, 7); g.fill();
        }
      }
      g.globalAlpha = 1;
    }
  }

  #finding() {
    const g = this.g, t = this.trace, f = this.finding;
    let lanes = t.last;
    if (!f.stuck) t.scan(f.step, f.step + 1, (start, end, first, mask, at) => { lanes = new Lanes().copy(at); });
    const line = this.y(f.step + 1), bottom = f.stuck ? HEAD + this.height + 4 : line;
    g.strokeStyle = this.bad; g.fillStyle = this.bad; g.lineWidth = 2;
    // From the moment that others wait for them, or from where they stopped.
    const since = l => Math.min(f.step, lanes.at[l] < 0 ? 0 : lanes.since[l] + 1);
    const marked = f.lanes & t.exists;
    for (let l = 0; l < 32; l++) {
      if (!(marked >>> l & 1)) continue;
      let end = l;
      while (end < 31 && marked >>> (end + 1) & 1 && since(end + 1) === since(l)) end++;
      const x = GUTTER + l * this.cell, width = (end - l + 1) * this.cell - 1, top = this.y(since(l));
      g.globalAlpha = 0.16; g.fillRect(x, top, width, bottom - top);
      g.globalAlpha = 1; g.strokeRect(x, top, width, bottom - top);
      l = end;
    }
    g.fillRect(GUTTER - 8, line - 1, this.right - GUTTER + 12, 2);
    this.#tag(f.lanes ? `${f.rule}: lanes ${lanesText(f.lanes)}` : f.rule, line + 10);
    if (!f.stuck || !marked) return;
    const first = Math.clz32(marked & -marked) ^ 31;
    if (lanes.at[first] >= 0) this.#tag(`they wait at ${name(lanes.at[first]).replace(/^.*:/, "line ")}`, this.y(t.steps) + 12);
  }

  // White on red, at the right edge.
  #tag(text, y) {
    const g = this.g, edge = this.canvas.clientWidth - 6;
    g.font = `600 ${this.mono}`; g.textBaseline = "middle"; g.textAlign = "right";
    const width = g.measureText(text).width + 12;
    g.fillStyle = this.bad;
    g.beginPath(); g.roundRect(edge - width, y - 9, width, 18, 4); g.fill();
    g.fillStyle = this.card; g.fillText(text, edge - 6, y + 0.5);
  }

  #head(w) {
    const g = this.g;
    g.fillStyle = this.card; g.fillRect(0, 0, w, HEAD);
    g.font = this.mono; g.textBaseline = "middle"; g.textAlign = "center";
    for (let l = 0; l < 32; l++) {
      const bad = this.finding && this.finding.lanes >>> l & 1;
      if (!bad && this.cell < 15 && l % 4 && l !== 31 || bad && this.cell < 12 && l % 2) continue;
      g.fillStyle = bad ? this.bad : this.soft;
      g.fillText(String(l), GUTTER + (l + 0.5) * this.cell, HEAD / 2);
    }
    g.textAlign = "right"; g.fillStyle = this.soft; g.fillText("lane", GUTTER - 9, HEAD / 2);
    g.fillStyle = this.line; g.fillRect(0, HEAD - 1, w, 1);
  }

  // The whole warp: mean active lanes, and what part is shown.
  #overview() {
    const dpr = window.devicePixelRatio || 1, c = this.overview, w = c.clientWidth, h = c.clientHeight;
    c.width = w * dpr; c.height = h * dpr;
    const g = c.getContext("2d"), s = this.trace.sums();
    g.scale(dpr, dpr);
    for (let y = 0; y < h; y++) {
      const a = Math.floor(y / h * this.total / s.B), b = Math.max(a + 1, Math.ceil((y + 1) / h * this.total / s.B));
      if (a >= s.n) break;
      let active = 0, steps = 0;
      for (let k = a; k < Math.min(b, s.n); k++) { active += s.active[k]; steps += Math.min(s.B, this.trace.steps - k * s.B); }
      g.fillStyle = this.soft; g.globalAlpha = 0.55;
      g.fillRect(4, y, (w - 8) * active / steps / 32, 1);
    }
    g.globalAlpha = 1;
    if (this.finding) { g.fillStyle = this.bad; g.fillRect(0, Math.min(h - 2, this.finding.step / this.total * h), w, 2); }
    const top = this.from / this.total * h, height = Math.max(4, this.span / this.total * h);
    g.strokeStyle = this.accent; g.lineWidth = 1.5; g.strokeRect(1, top + 1, w - 2, Math.min(height, h - top) - 2);
  }
}
