// The engine that stands in the page itself: WebAssembly, compressed, as text.
import { gunzipSync } from 'fflate';
import { XzReadableStream } from 'xz-decompress';

export function bytesOfBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// What the build has put into the page under this id; null where it had nothing to put there.
function compressed(id: string): Uint8Array | null {
  const text = document.getElementById(id)?.textContent?.trim();
  return text ? bytesOfBase64(text) : null;
}

export function embedded(id: string): Uint8Array | null {
  const bytes = compressed(id);
  return bytes && gunzipSync(bytes);
}

let compiled: Promise<WebAssembly.Module> | null = null;

export function engineModule(): Promise<WebAssembly.Module> {
  return (compiled ??= (async () => {
    const bytes = compressed('engine');
    if (!bytes) throw new Error('this page was built without its engine');
    return WebAssembly.compile(await new Response(new XzReadableStream(new Blob([bytes]).stream())).arrayBuffer());
  })());
}
