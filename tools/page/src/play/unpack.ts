// Unpacks the engine: WebAssembly by xz, which makes it a quarter smaller than gzip, as base64.
import { XzReadableStream } from 'xz-decompress';

function bytesOfBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function unpack(packed: string): Promise<WebAssembly.Module> {
  const stream = new Response(bytesOfBase64(packed)).body;
  if (!stream) throw new Error('this browser has no streams');
  return WebAssembly.compile(await new Response(new XzReadableStream(stream)).arrayBuffer());
}
