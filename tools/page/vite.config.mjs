// Builds one HTML file with inline script and styles, which fetches nothing when opened: the page of `--format html`, or
// with `--mode play` the playground.
import { build } from 'esbuild';
import { defineConfig } from 'vite';

// Of the page of a run, the viewer is the whole window: what asks for the viewer's size asks for the window's there, which
// costs the browser less with each step (a sixth of moving along 100,000 events).
function windowForViewer(css) {
  return css
    .replaceAll('@container viewer', '@media')
    .replace(/container:\s*viewer\s*\/\s*size;?/, '')
    .replaceAll(/(\d)cqh\b/g, '$1vh')
    .replaceAll(/(\d)cqw\b/g, '$1vw');
}

// Inlines Vite's output into the page. Escapes "</script", which would end the element; it occurs only in strings.
function oneFile(input) {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle[input];
      let html = page.source;
      let code = '';
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') {
          code = file.code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--').trim();
          html = html.replace(new RegExp(`<script [^>]*src="[^"]*${file.fileName}"[^>]*></script>`), '');
        } else if (name.endsWith('.css')) {
          const css = input === 'index.html' ? windowForViewer(file.source) : file.source;
          html = html.replace(
            new RegExp(`<link [^>]*href="[^"]*${file.fileName}"[^>]*>`),
            () => `<style>${css.trim()}</style>`,
          );
        } else {
          continue;
        }
        delete bundle[name];
      }
      if (/<(script|link)[^>]*\s(src|href)="(?!data:)/.test(html)) this.error('something in the page is still fetched');
      // That of the playground runs before what stands behind it has been read: most of the page.
      const when = input === 'play.html' ? ' async' : '';
      page.source = html.replace('<!--loopsim:code-->', () => `<script type="module"${when}>${code}</script>`);
    },
  };
}

// `import code from './file?bundled'`: that file and what it imports, as the text of one script. Vite's own inline workers are base64,
// which a browser's compression makes less small.
function bundledText() {
  const mark = '?bundled';
  return {
    name: 'bundled-text',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith(mark)) return null;
      const found = await this.resolve(source.slice(0, -mark.length), importer);
      return found && found.id + mark;
    },
    async load(id) {
      if (!id.endsWith(mark)) return null;
      const entry = id.slice(0, -mark.length);
      const { outputFiles } = await build({
        entryPoints: [entry], bundle: true, minify: true, write: false, format: 'iife', target: 'es2021', legalComments: 'none',
      });
      return `export default ${JSON.stringify(outputFiles[0].text.trim())};`;
    },
  };
}

export default defineConfig(({ mode }) => ({
  base: './',
  plugins: [bundledText(), oneFile(mode === 'play' ? 'play.html' : 'index.html')],
  build: {
    target: 'es2021',
    rollupOptions: { input: mode === 'play' ? 'play.html' : 'index.html' },
    outDir: mode === 'play' ? 'dist-play' : 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 1 << 20,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
  },
}));
