// What Vite makes of the imports that TypeScript does not know.
declare module '*?worker&inline' {
  const InlineWorker: new (options?: { name?: string }) => Worker;
  export default InlineWorker;
}
declare module '*.css';
