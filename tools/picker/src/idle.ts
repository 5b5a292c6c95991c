/** Runs something when the browser has nothing better to do, soon in any case; what comes back takes it away again. */
export function idle(run: () => void): () => void {
  if (!("requestIdleCallback" in globalThis)) {
    const timer = setTimeout(run, 50);
    return () => clearTimeout(timer);
  }
  const waiting = requestIdleCallback(run, { timeout: 300 });
  return () => cancelIdleCallback(waiting);
}
