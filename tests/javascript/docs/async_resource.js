// async_hooks: AsyncResource.bind keeps the context of where it was bound.
const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks');
const store = new AsyncLocalStorage();
const bound = store.run('bound here', () => AsyncResource.bind(() => console.log(store.getStore())));
store.run('called here', () => { bound(); console.log(store.getStore()); });
