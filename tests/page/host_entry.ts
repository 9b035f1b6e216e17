// What the playground's worker has, for a page of the tests.
import { EngineHost } from '../../tools/page/src/play/engine_host';

let host: EngineHost | null = null;

export function compile(base64: string): Promise<WebAssembly.Module> {
  const binary = atob(base64);
  return WebAssembly.compile(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
}

export function take(module: WebAssembly.Module): void {
  host = new EngineHost(module);
}

// What the program says of each job at its end.
export function runAll(jobs: { words: string[]; files: Record<string, string> }[]): string[] {
  return jobs.map((job) => {
    if (!host) throw new Error('no module has come');
    const { status, stdout, stderr } = host.run(job);
    return `${status} ${stdout}${stderr}`;
  });
}
