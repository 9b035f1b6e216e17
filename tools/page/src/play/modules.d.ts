// What vite.config.mjs and Vite make of the imports that TypeScript does not know.
declare module '*?bundled' {
  const code: string;
  export default code;
}
declare module '*.css';
