// Builds one HTML file with inline script and styles, which fetches nothing when opened.
import { defineConfig } from 'vite';

// Inlines Vite's output into the page. Escapes "</script", which would end the element; it occurs only in strings.
function oneFile() {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      let html = page.source;
      let code = '';
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') {
          code = file.code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--').trim();
          html = html.replace(new RegExp(`<script [^>]*src="[^"]*${file.fileName}"[^>]*></script>`), '');
        } else if (name.endsWith('.css')) {
          html = html.replace(
            new RegExp(`<link [^>]*href="[^"]*${file.fileName}"[^>]*>`),
            () => `<style>${file.source.trim()}</style>`,
          );
        } else {
          continue;
        }
        delete bundle[name];
      }
      if (/<(script|link)[^>]*\s(src|href)="(?!data:)/.test(html)) this.error('something in the page is still fetched');
      page.source = html.replace('<!--loopsim:code-->', () => `<script type="module">${code}</script>`);
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [oneFile()],
  build: {
    target: 'es2021',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 1 << 20,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
  },
});
