// What the build has put into the page itself (tools/page/fill_play.mjs).

// Settled when the whole page has been read: its code runs as soon as it is there, and most stands behind that.
export async function wholePage(): Promise<void> {
  if (document.readyState === 'loading')
    await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
}

// What stands in the page under this id; null where the build had nothing to put there. All but the tour stands behind the code.
export function embedded(id: string): string | null {
  return document.getElementById(id)?.textContent?.replaceAll('\uE000', '<') || null;
}
