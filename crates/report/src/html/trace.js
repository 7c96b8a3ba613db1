// A trace, unpacked: typed arrays, key frames to start reading anywhere, and sums to draw it small.

const bitsOf = mask => { const out = []; for (let l = 0; l < 32; l++) if (mask >>> l & 1) out.push(l); return out; };
const popcount = mask => { let n = 0; for (mask >>>= 0; mask; mask &= mask - 1) n++; return n; };

// 0-3,17
function lanesText(mask) {
  const out = [];
  for (let l = 0; l < 32; l++) {
    if (!(mask >>> l & 1)) continue;
    let end = l;
    while (end < 31 && mask >>> (end + 1) & 1) end++;
    out.push(end > l ? `${l}-${end}` : `${l}`);
    l = end;
  }
  return out.join(",");
}

// Numbers of seven bits a byte, the lowest first.
function numbers(base64) {
  const text = atob(base64), out = [];
  let value = 0, scale = 1;
  for (let i = 0; i < text.length; i++) {
    const byte = text.charCodeAt(i);
    value += (byte & 127) * scale;
    if (byte & 128) scale *= 128; else { out.push(value); value = 0; scale = 1; }
  }
  return out;
}

const MARKS = ["collective", "barrier", "lanes meet", "exit"];
const FRAME = 256;        // runs between key frames
const BUCKETS = 1 << 14;  // most buckets of the sums

// Where the 32 lanes are at a moment.
class Lanes {
  constructor() {
    this.at = new Int32Array(32).fill(-1); // the last instruction that each issued
    this.since = new Float64Array(32);     // the step at which it did
    this.waits = 0;                        // lanes in a collective or barrier
    this.gone = 0;                         // lanes that have exited
  }
  copy(from) {
    this.at.set(from.at); this.since.set(from.since); this.waits = from.waits; this.gone = from.gone;
    return this;
  }
  mark(kind, lanes) {
    if (kind < 2) this.waits &= ~lanes;
    if (kind === 3) this.gone |= lanes;
  }
  run(first, len, lanes, start, waits) {
    const last = first + len - 1;
    for (let l = 0; l < 32; l++) if (lanes >>> l & 1) { this.at[l] = last; this.since[l] = start + len - 1; }
    if (waits(last)) this.waits |= lanes; else this.waits &= ~lanes;
  }
}

class Trace {
  // `waits` and `blockOf` answer for an instruction.
  constructor(data, waits, blockOf) {
    Object.assign(this, { data, waits, blockOf, steps: data.steps, exists: data.exists >>> 0, left: data.left >>> 0 });
    this.runs = data.runs;
    this.seq = Uint32Array.from(numbers(data.seq));
    this.start = new Float64Array(this.seq.length + 1);
    for (let i = 0; i < this.seq.length; i++) this.start[i + 1] = this.start[i] + this.runs[3 * this.seq[i] + 1];
    const packed = numbers(data.mseq);
    this.markStep = new Float64Array(packed.length / 2);
    this.markKind = new Uint32Array(packed.length / 2);
    let step = 0;
    for (let i = 0; i < packed.length; i += 2) {
      step += packed[i];
      this.markStep[i / 2] = step;
      this.markKind[i / 2] = packed[i + 1];
    }
    this.frames = [];
    const lanes = new Lanes();
    let m = 0;
    for (let i = 0; i <= this.seq.length; i++) {
      m = this.#marks(lanes, m, this.start[i]);
      if (i % FRAME === 0) this.frames.push({ lanes: new Lanes().copy(lanes), m });
      if (i < this.seq.length) this.#apply(lanes, i);
    }
    this.last = lanes;
    this.bucket = 1;
    while (this.steps / this.bucket > BUCKETS) this.bucket *= 2;
  }

  run(i) { const r = 3 * this.seq[i]; return [this.runs[r], this.runs[r + 1], this.runs[r + 2] >>> 0]; }
  mark(i) {
    const m = 4 * this.markKind[i], d = this.data.marks;
    return { step: this.markStep[i], kind: d[m], ins: d[m + 1], lanes: d[m + 2] >>> 0, mask: d[m + 3] >>> 0 };
  }
  #marks(lanes, m, step) {
    for (; m < this.markStep.length && this.markStep[m] <= step; m++) {
      const k = 4 * this.markKind[m];
      lanes.mark(this.data.marks[k], this.data.marks[k + 2]);
    }
    return m;
  }
  #apply(lanes, i) {
    const [first, len, mask] = this.run(i);
    lanes.run(first, len, mask, this.start[i], this.waits);
  }

  // The run in force at a step.
  find(step) {
    let low = 0, high = this.seq.length;
    while (low < high) { const mid = (low + high) >> 1; if (this.start[mid + 1] <= step) low = mid + 1; else high = mid; }
    return low;
  }

  // Calls f(start, end, first, mask, lanes) for each run that overlaps from..to; lanes as they are before it.
  scan(from, to, f) {
    let i = this.find(from);
    const frame = this.frames[Math.floor(i / FRAME)];
    const lanes = new Lanes().copy(frame.lanes);
    let m = frame.m;
    for (let j = Math.floor(i / FRAME) * FRAME; j < this.seq.length && this.start[j] < to; j++) {
      m = this.#marks(lanes, m, this.start[j]);
      if (j >= i) { const [first, , mask] = this.run(j); f(this.start[j], this.start[j + 1], first, mask, lanes); }
      this.#apply(lanes, j);
    }
  }

  // Marks with from <= step <= to.
  marks(from, to) {
    let low = 0, high = this.markStep.length;
    while (low < high) { const mid = (low + high) >> 1; if (this.markStep[mid] < from) low = mid + 1; else high = mid; }
    let end = low;
    while (end < this.markStep.length && this.markStep[end] <= to) end++;
    return [low, end];
  }

  // For buckets of steps: for each lane the block it ran most, and how many steps it ran and waited.
  sums() {
    if (this.summed) return this.summed;
    const B = this.bucket, n = Math.ceil(this.steps / B) || 1;
    const block = new Uint16Array(n * 32), ran = new Uint16Array(n * 32), waited = new Uint16Array(n * 32);
    const best = new Uint16Array(n * 32), active = new Float32Array(n);
    this.scan(0, this.steps, (start, end, first, mask, lanes) => {
      const b = this.blockOf(first);
      for (let at = start; at < end;) {
        const k = Math.floor(at / B), stop = Math.min(end, (k + 1) * B), len = stop - at;
        active[k] += len * popcount(mask);
        for (let l = 0; l < 32; l++) {
          const j = 32 * k + l;
          if (mask >>> l & 1) {
            ran[j] += len;
            if (len >= best[j]) { best[j] = len; block[j] = b; }
          } else if (lanes.waits >>> l & 1) waited[j] += len;
          if (!ran[j] && lanes.at[l] >= 0) block[j] = this.blockOf(lanes.at[l]);
          if (lanes.gone >>> l & 1) waited[j] = 65535;
        }
        at = stop;
      }
    });
    return this.summed = { B, n, block, ran, waited, active };
  }

  // The nearest step after (or before) one at which an instruction of a set runs.
  next(step, set, direction) {
    const hit = i => {
      const [first, len] = this.run(i);
      for (let k = 0; k < len; k++) if (set.has(first + k)) return this.start[i] + k;
      return -1;
    };
    const within = at => direction > 0 ? at > step : at < step;
    for (let i = this.find(step); i >= 0 && i < this.seq.length; i += direction) {
      const at = hit(i);
      if (at >= 0 && within(at)) return at;
    }
    return -1;
  }
}
