//! Global memory: allocations in one arena of reserved address space.
//!
//! An address is valid where an allocation covers every byte of the access; a gap follows each allocation, so an
//! access past the end never meets the next one. Pages are taken from the host when they are first touched.
//!
//! CTAs run on several threads and may race on these bytes, as on a GPU. Accesses go through raw pointers and host
//! atomics; no reference to the bytes is ever held while a launch runs.

use std::collections::BTreeMap;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use memmap2::{MmapMut, MmapOptions};

use super::GLOBAL_BASE;

/// Bytes of address space that one memory may use.
const RESERVED: u64 = 1 << 36;
/// Allocations start at multiples of this, as `cudaMalloc` gives them.
const ALIGN: u64 = 256;
/// Bytes of a huge page of the host.
#[cfg(target_os = "linux")]
const HUGE_PAGE: u64 = 1 << 21;
/// Bytes of an allocation that is worth a huge page.
#[cfg(target_os = "linux")]
const LARGE: u64 = 1 << 18;
/// Bytes that a copy touches or not.
const PAGE: usize = 4096;
/// Unused bytes after an allocation.
const GAP: u64 = 256;

/// What an allocation is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A `.global` or `.const` variable of the module.
    Variable(String),
    /// A buffer of the host.
    Buffer(String),
    /// Given out by `malloc` in a kernel.
    Heap,
}

/// A piece of global memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocation {
    /// First address.
    pub base: u64,
    /// Length in bytes.
    pub len: u64,
    /// What it is.
    pub origin: Origin,
    /// Has the host (or an initialiser) written it? A checker takes the rest as undefined.
    pub initialised: bool,
    /// Has it been freed?
    pub freed: bool,
}

/// Why memory could not be had.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AllocError {
    /// The limit would be passed.
    #[error("out of memory: {wanted} bytes wanted, {left} of {limit} left")]
    Exhausted {
        /// Bytes asked for.
        wanted: u64,
        /// Bytes left under the limit.
        left: u64,
        /// The limit.
        limit: u64,
    },
    /// The host gave no address space.
    #[error("the host gives no address space for global memory: {0}")]
    Host(String),
}

/// What an address leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// Inside of a live allocation.
    Live(Allocation),
    /// Inside of one that was freed.
    Freed(Allocation),
    /// In none; the nearest below it, if there is one.
    Outside(Option<Allocation>),
}

/// Global memory of one device.
pub struct GlobalMemory {
    map: MmapMut,
    /// Host allocations and variables, by base. They do not change while a launch runs.
    allocations: Vec<Allocation>,
    /// What kernels took with `malloc`, by base.
    heap: RwLock<BTreeMap<u64, Allocation>>,
    heap_used: AtomicBool,
    next: std::sync::Mutex<u64>,
    /// The same, to look at without a lock.
    end: AtomicU64,
    limit: u64,
}

impl GlobalMemory {
    /// An empty memory of at most `limit` bytes.
    ///
    /// # Errors
    /// [`AllocError::Host`] where the host gives no address space.
    pub fn new(limit: u64) -> Result<Self, AllocError> {
        let map = MmapOptions::new()
            .len(RESERVED as usize)
            .no_reserve_swap()
            .map_anon()
            .map_err(|e| AllocError::Host(e.to_string()))?;
        Ok(GlobalMemory {
            map,
            allocations: Vec::new(),
            heap: RwLock::default(),
            heap_used: AtomicBool::new(false),
            next: std::sync::Mutex::new(GLOBAL_BASE),
            end: AtomicU64::new(GLOBAL_BASE),
            limit: limit.min(RESERVED),
        })
    }

    /// A copy with the same allocations at the same addresses and the same bytes.
    ///
    /// # Errors
    /// As [`GlobalMemory::new`].
    pub fn duplicate(&self) -> Result<Self, AllocError> {
        let mut copy = GlobalMemory::new(self.limit)?;
        copy.allocations.clone_from(&self.allocations);
        *copy.heap.write().expect("heap lock") = self.heap.read().expect("heap lock").clone();
        copy.heap_used = AtomicBool::new(self.heap_used.load(Ordering::Relaxed));
        copy.next = std::sync::Mutex::new(*self.next.lock().expect("arena lock"));
        copy.end = AtomicU64::new(self.end.load(Ordering::Relaxed));
        let heap = copy.heap.read().expect("heap lock").values().cloned().collect::<Vec<_>>();
        for a in copy.allocations.clone().iter().chain(&heap) {
            let range = (a.base - GLOBAL_BASE) as usize..(a.base - GLOBAL_BASE + a.len) as usize;
            // Pages that nobody wrote stay untouched in the copy.
            let pages = copy.map[range.clone()].chunks_mut(PAGE).zip(self.map[range].chunks(PAGE));
            pages.filter(|(_, from)| from.iter().any(|b| *b != 0)).for_each(|(to, from)| to.copy_from_slice(from));
        }
        Ok(copy)
    }

    fn reserve(&self, len: u64) -> Result<u64, AllocError> {
        let mut next = self.next.lock().expect("arena lock");
        let used = *next - GLOBAL_BASE;
        let exhausted = AllocError::Exhausted { wanted: len, left: self.limit.saturating_sub(used), limit: self.limit };
        let end = used.checked_add(len).and_then(|e| e.checked_add(GAP + ALIGN)).ok_or(exhausted.clone())?;
        if end > self.limit {
            return Err(exhausted);
        }
        let base = *next;
        *next = GlobalMemory::after(base, len).ok_or(exhausted)?;
        self.end.store(*next, Ordering::Relaxed);
        Ok(base)
    }

    /// Where the allocation after one of `len` bytes at `base` starts.
    pub(crate) fn after(base: u64, len: u64) -> Option<u64> {
        base.checked_add(len)?.checked_add(GAP)?.checked_next_multiple_of(ALIGN)
    }

    /// Allocates `len` bytes, zeroed.
    ///
    /// # Errors
    /// [`AllocError::Exhausted`] where the limit would be passed.
    pub fn allocate(&mut self, len: u64, origin: Origin, initialised: bool) -> Result<u64, AllocError> {
        let base = self.reserve(len)?;
        self.prefer_huge_pages(base, len);
        self.allocations.push(Allocation { base, len, origin, initialised, freed: false });
        Ok(base)
    }

    /// Asks the host for huge pages for a large allocation: neighbouring threads of a GPU kernel walk through whole arrays.
    fn prefer_huge_pages(&self, base: u64, len: u64) {
        #[cfg(target_os = "linux")]
        {
            let map = self.map.as_ptr() as u64;
            let at = map + (base - GLOBAL_BASE);
            // The pages that it shares with its neighbours too, if they are in the map as a whole.
            let start = at / HUGE_PAGE * HUGE_PAGE;
            let end = (at + len).next_multiple_of(HUGE_PAGE);
            if len >= LARGE && start >= map && end <= map + self.map.len() as u64 {
                // A host that has none goes on with small ones.
                let _ =
                    self.map.advise_range(memmap2::Advice::HugePage, (start - map) as usize, (end - start) as usize);
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (base, len);
    }

    /// Marks the allocation at `base` as freed. Returns false where there is none.
    pub fn free(&mut self, base: u64) -> bool {
        match self.allocations.iter_mut().find(|a| a.base == base && !a.freed) {
            Some(a) => {
                a.freed = true;
                true
            }
            None => false,
        }
    }

    /// `malloc` of a running kernel: 0 where there is nothing left.
    pub fn heap_allocate(&self, len: u64) -> u64 {
        let Ok(base) = self.reserve(len.max(1)) else { return 0 };
        let a = Allocation { base, len, origin: Origin::Heap, initialised: false, freed: false };
        self.heap.write().expect("heap lock").insert(base, a);
        self.heap_used.store(true, Ordering::Release);
        base
    }

    /// `free` of a running kernel: false where `base` is not a live allocation of the heap.
    pub fn heap_free(&self, base: u64) -> bool {
        match self.heap.write().expect("heap lock").get_mut(&base) {
            Some(a) if !a.freed => {
                a.freed = true;
                true
            }
            _ => false,
        }
    }

    /// Does an access lie in the part of the address space that allocations have been made in?
    #[inline]
    pub fn is_near(&self, addr: u64, len: u64) -> bool {
        addr >= GLOBAL_BASE && addr.saturating_add(len) <= self.end.load(Ordering::Relaxed)
    }

    /// The host allocations and variables, by base.
    pub fn allocations(&self) -> &[Allocation] {
        &self.allocations
    }

    /// Says whose `addr` is.
    pub fn lookup(&self, addr: u64) -> Lookup {
        let index = self.allocations.partition_point(|a| a.base <= addr);
        let host = index.checked_sub(1).map(|i| &self.allocations[i]);
        let heap = self.heap.read().expect("heap lock");
        let device = heap.range(..=addr).next_back().map(|(_, a)| a);
        let best = match (host, device) {
            (Some(h), Some(d)) => Some(if h.base > d.base { h } else { d }),
            (h, d) => h.or(d),
        };
        match best {
            Some(a) if addr - a.base < a.len.max(1) && a.freed => Lookup::Freed(a.clone()),
            Some(a) if addr - a.base < a.len => Lookup::Live(a.clone()),
            other => Lookup::Outside(other.cloned()),
        }
    }

    /// The host pointer of `len` bytes at `addr`, where one live allocation covers all of them.
    ///
    /// `hint` remembers the allocation of the last call from the same place.
    #[inline(always)]
    pub fn pointer(&self, addr: u64, len: u64, hint: &mut u32) -> Option<*mut u8> {
        if let Some(a) = self.allocations.get(*hint as usize) {
            let offset = addr.wrapping_sub(a.base);
            if offset < a.len && len <= a.len - offset && !a.freed {
                // SAFETY: an allocation lies inside of the map.
                return Some(unsafe { self.map.as_ptr().cast_mut().add((addr - GLOBAL_BASE) as usize) });
            }
        }
        self.pointer_slow(addr, len, hint)
    }

    /// The live allocation of the host that `addr` lies in: where it is, its first address, its length.
    #[inline(always)]
    pub(crate) fn region(&self, addr: u64, hint: &mut u32) -> Option<(*mut u8, u64, u64)> {
        let covers = |a: &Allocation| addr.wrapping_sub(a.base) < a.len && !a.freed;
        let a = match self.allocations.get(*hint as usize) {
            Some(a) if covers(a) => a,
            _ => {
                let index = self.allocations.partition_point(|a| a.base <= addr).checked_sub(1)?;
                *hint = index as u32;
                self.allocations.get(index).filter(|a| covers(a))?
            }
        };
        // SAFETY: an allocation lies inside of the map.
        Some((unsafe { self.map.as_ptr().cast_mut().add((a.base - GLOBAL_BASE) as usize) }, a.base, a.len))
    }

    #[inline(never)]
    fn pointer_slow(&self, addr: u64, len: u64, hint: &mut u32) -> Option<*mut u8> {
        let covers = |a: &Allocation| addr - a.base < a.len && len <= a.len - (addr - a.base) && !a.freed;
        let index = self.allocations.partition_point(|a| a.base <= addr);
        let mut found = false;
        if index > 0 && covers(&self.allocations[index - 1]) {
            *hint = (index - 1) as u32;
            found = true;
        } else if self.heap_used.load(Ordering::Acquire) {
            let heap = self.heap.read().expect("heap lock");
            found = heap.range(..=addr).next_back().is_some_and(|(_, a)| covers(a));
        }
        // SAFETY: an allocation lies inside of the map.
        found.then(|| unsafe { self.map.as_ptr().cast_mut().add((addr - GLOBAL_BASE) as usize) })
    }

    /// One byte as it is now, also while a launch runs.
    pub fn peek(&self, addr: u64) -> Option<u8> {
        // SAFETY: `pointer` gives one readable byte.
        self.pointer(addr, 1, &mut 0).map(|p| unsafe { p.read_volatile() })
    }

    /// Bytes at `addr` for the host, where one live allocation covers them.
    pub fn read(&self, addr: u64, len: u64) -> Option<&[u8]> {
        self.pointer(addr, len, &mut 0)?;
        let start = (addr - GLOBAL_BASE) as usize;
        Some(&self.map[start..start + len as usize])
    }

    /// Writes bytes for the host. False where no live allocation covers them.
    pub fn write(&mut self, addr: u64, bytes: &[u8]) -> bool {
        if bytes.is_empty() {
            return true;
        }
        if self.pointer(addr, bytes.len() as u64, &mut 0).is_none() {
            return false;
        }
        let start = (addr - GLOBAL_BASE) as usize;
        self.map[start..start + bytes.len()].copy_from_slice(bytes);
        let index = self.allocations.partition_point(|a| a.base <= addr);
        if let Some(a) = index.checked_sub(1).map(|i| &mut self.allocations[i]) {
            a.initialised = true;
        }
        true
    }
}
