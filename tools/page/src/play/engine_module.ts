// The engine that stands in the page itself: WebAssembly, compressed, as text.
import { XzReadableStream } from 'xz-decompress';

export function bytesOfBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// What the build has put into the page under this id; null where it had nothing to put there.
export function embedded(id: string): string | null {
  return document.getElementById(id)?.textContent?.replaceAll('\uE000', '<') || null;
}

// xz makes it a quarter smaller than gzip.
async function engineBytes(): Promise<Uint8Array | null> {
  const text = embedded('engine');
  const bytes = text ? bytesOfBase64(text) : null;
  const packed = bytes && new Response(bytes).body;
  if (!packed) return null;
  return new Uint8Array(await new Response(new XzReadableStream(packed)).arrayBuffer());
}

let compiled: Promise<WebAssembly.Module> | null = null;

export function engineModule(): Promise<WebAssembly.Module> {
  return (compiled ??= (async () => {
    const bytes = await engineBytes();
    if (!bytes) throw new Error('this page was built without its engine');
    return WebAssembly.compile(bytes);
  })());
}
