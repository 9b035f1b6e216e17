// The browser's JavaScript library over a toy loop (mock_loop.mjs): no engine and no simulator is needed.
//
//   node --test library_test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MockLoop } from './mock_loop.mjs';

// A window in which log(...) prints; what the program prints, with tasks run.
const open = (html = '', facts = {}) => new MockLoop({ html, ...facts });
async function ran(loop, text) {
  loop.run(text);
  await loop.until();
  return loop.take();
}

test('events: capture, target, bubble, window last', async () => {
  const loop = open('<div id=a><p id=b><i id=c></i></p></div>');
  const lines = await ran(loop, `
    const [a, b, c] = ['a', 'b', 'c'].map((id) => document.getElementById(id));
    const named = new Map([[window, 'window'], [document, 'document'], [a, 'a'], [b, 'b'], [c, 'c']]);
    for (const [target, name] of named) {
      for (const capture of [false, true]) {
        target.addEventListener('x', (e) => console.log(name, capture, e.eventPhase, named.get(e.target), e.currentTarget === target),
          capture);
      }
    }
    c.dispatchEvent(new Event('x', { bubbles: true }));
    console.log('--');
    const e = new Event('x');
    c.dispatchEvent(e);
    console.log(e.eventPhase, e.currentTarget, named.get(e.target), e.isTrusted, e.composedPath().length);`);
  assert.deepEqual(lines, [
    'window true 1 c true', 'document true 1 c true', 'a true 1 c true', 'b true 1 c true', 'c true 2 c true', 'c false 2 c true',
    'b false 3 c true', 'a false 3 c true', 'document false 3 c true', 'window false 3 c true', '--',
    'window true 1 c true', 'document true 1 c true', 'a true 1 c true', 'b true 1 c true', 'c true 2 c true', 'c false 2 c true',
    '0 null c false 0']);
});

test('events: stopping, once, removal and addition during dispatch, passive, handleEvent', async () => {
  const loop = open('<div id=a><p id=b></p></div>');
  const lines = await ran(loop, `
    const a = document.querySelector('#a'), b = document.querySelector('#b');
    a.addEventListener('x', () => console.log('a'));
    b.addEventListener('x', (e) => { console.log('b1'); e.stopPropagation(); });
    const gone = () => console.log('gone');
    b.addEventListener('x', () => { b.removeEventListener('x', gone); b.addEventListener('x', () => console.log('later')); },
      { once: true });
    b.addEventListener('x', gone);
    b.addEventListener('x', { name: 'object', handleEvent(e) { console.log(this.name, e.type); } });
    const fire = () => b.dispatchEvent(new Event('x', { bubbles: true, cancelable: true }));
    fire(); console.log('--'); fire(); console.log('--');
    b.addEventListener('y', (e) => { e.stopImmediatePropagation(); console.log('y1', window.event === e); });
    b.addEventListener('y', () => console.log('y2'));
    b.dispatchEvent(new Event('y'));
    console.log(window.event);
    b.addEventListener('z', (e) => { e.preventDefault(); console.log(e.defaultPrevented); }, { passive: true });
    console.log(b.dispatchEvent(new Event('z', { cancelable: true })));
    b.addEventListener('z', (e) => { e.returnValue = false; console.log(e.defaultPrevented); });
    console.log(b.dispatchEvent(new Event('z', { cancelable: true })));
    console.log(b.dispatchEvent(new Event('z')));
    const controller = new AbortController();
    b.addEventListener('s', () => console.log('s'), { signal: controller.signal });
    b.dispatchEvent(new Event('s'));
    controller.abort();
    b.dispatchEvent(new Event('s'));
    const same = () => console.log('same');
    b.addEventListener('t', same); b.addEventListener('t', same); b.addEventListener('t', same, true);
    b.dispatchEvent(new Event('t'));
    const other = new EventTarget();
    other.addEventListener('u', () => { throw new Error('thrown'); });
    other.addEventListener('u', () => console.log('goes on'));
    console.log(other.dispatchEvent(new CustomEvent('u', { detail: 5 })));`);
  assert.deepEqual(lines, [
    'b1', 'object x', '--', 'b1', 'object x', 'later', '--', 'y1 true', 'undefined', 'false', 'true', 'false', 'true', 'false', 'false',
    'false', 'true', 's', 'same', 'same', 'error: Uncaught Error: thrown', 'goes on', 'true']);
});

test('handlers: place, return false, null, attributes in the markup, onerror', async () => {
  const loop = open('<button id=b onclick="console.log(\'attr\', this.id, event.type, id)">x</button><a id=l href="#x" onclick="return false"></a>');
  const lines = await ran(loop, `
    const b = document.getElementById('b'), l = document.getElementById('l');
    b.addEventListener('click', () => console.log('listener'));
    b.click();
    b.onclick = () => console.log('handler');
    b.click();
    b.onclick = null;
    b.onclick = () => console.log('behind');
    b.click();
    l.addEventListener('click', (e) => console.log(e.defaultPrevented));
    l.click();
    console.log(typeof l.onclick, b.onclick.name, location.hash);
    b.setAttribute('onclick', 'console.log("new")'); b.click();
    b.setAttribute('onclick', 'not code ('); b.click();
    b.setAttribute('onclick', 'throw 5');
    window.onerror = (...args) => { console.log(args[0], args[4]); return true; };
    b.click();`);
  assert.deepEqual(lines.slice(0, 8), ['attr b click b', 'listener', 'handler', 'listener', 'listener', 'behind', 'true', 'function  ']);
  assert.deepEqual(lines.slice(8, 10), ['listener', 'new']);
  assert.match(lines[10], /^listener$|SyntaxError/);
  assert.deepEqual(lines.slice(-2), ['listener', 'Uncaught 5 5']);
});

test('click() and a user\'s click: microtasks between listeners', async () => {
  const loop = open('<div id=outer><button id=b>x</button></div>');
  loop.run(`
    const b = document.querySelector('#b');
    for (const name of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'focus']) b.addEventListener(name, (e) => console.log(name,
      e.isTrusted));
    for (const target of [b, b.parentNode]) {
      target.addEventListener('click', (e) => {
        console.log('click', e.currentTarget.id, e.isTrusted, e.detail, e.constructor.name);
        queueMicrotask(() => console.log('micro', target.id));
      });
    }
    b.click();
    console.log('after click()');`);
  const synthetic = ['click b false 0 PointerEvent', 'click outer false 0 PointerEvent', 'after click()', 'micro b', 'micro outer'];
  assert.deepEqual(loop.take(), synthetic);
  assert.equal(loop.library.dispatchInput('click', '#b'), true);
  assert.deepEqual(loop.take(), [
    'pointerdown true', 'mousedown true', 'focus true', 'pointerup true', 'mouseup true', 'click b true 1 PointerEvent', 'micro b',
    'click outer true 1 PointerEvent', 'micro outer']);
  assert.equal(loop.library.dispatchInput('click', '#none'), false);
  const old = open('<button id=b></button>', { version: 72 });
  old.run("b = document.querySelector('#b'); b.onclick = (e) => console.log(e.constructor.name); b.click()");
  assert.deepEqual(old.take(), ['MouseEvent']);
});

test('input: keys, values, scroll, focus, disabled', async () => {
  const loop = open('<input id=i><button id=d disabled>x</button>');
  loop.run(`
    const i = document.querySelector('#i'), d = document.querySelector('#d');
    for (const name of ['keydown', 'keyup', 'beforeinput', 'input', 'focus', 'focusin', 'blur', 'change']) {
      i.addEventListener(name, (e) => console.log(name, e.key ?? '', e.code ?? '', i.value, e.isTrusted));
    }
    document.addEventListener('scroll', () => console.log('scroll'));
    window.addEventListener('scroll', (e) => console.log('window', e.bubbles));
    for (const name of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) d.addEventListener(name,
      () => console.log('disabled', name));`);
  const { dispatchInput } = loop.library;
  dispatchInput('focus', '#i');
  dispatchInput('keydown', '', { key: 'a' });
  dispatchInput('input', '#i', { value: 'a' });
  dispatchInput('change', '#i', { value: 'ab' });
  dispatchInput('scroll', '');
  dispatchInput('click', '#d');
  loop.run('d.click(); console.log(document.activeElement === document.body)');
  assert.deepEqual(loop.take(), [
    'focus   true'.replace('focus   ', 'focus    '), 'focusin    true', 'keydown a KeyA  true', 'keyup a KeyA  true', 'beforeinput    true',
    'input   a true', 'change   ab true', 'scroll', 'window true', 'disabled pointerdown', 'blur   ab true', 'disabled pointerup', 'true']);
});

test('input: a selector that no element fits is told', () => {
  const loop = open('<p></p>');
  assert.equal(loop.library.dispatchInput('click', '#nowhere'), false);
  assert.deepEqual(loop.take(), ["warn: No element fits the selector #nowhere: the user's click meets nothing."]);
});

test('focus: order and related targets', async () => {
  const loop = open('<input id=t><input id=u>');
  const lines = await ran(loop, `
    const t = document.querySelector('#t'), u = document.querySelector('#u');
    for (const x of [t, u]) for (const n of ['focus', 'blur', 'focusin', 'focusout']) {
      x.addEventListener(n, (e) => console.log(n, x.id, e.relatedTarget?.id ?? null, e.bubbles,
        document.activeElement.id || document.activeElement.tagName));
    }
    t.focus(); console.log('-'); u.focus(); u.blur(); t.focus(); t.remove(); console.log('removed');`);
  assert.deepEqual(lines, [
    'focus t null false t', 'focusin t null true t', '-', 'blur t u false BODY', 'focusout t u true BODY', 'focus u t false u',
    'focusin u t true u', 'blur u null false BODY', 'focusout u null true BODY', 'focus t null false t', 'focusin t null true t',
    'blur t null false BODY', 'focusout t null true BODY', 'removed']);
});

test('activation: boxes to check, radio buttons, forms, labels', async () => {
  const loop = open(`<form id=f><input id=i type=checkbox><label id=l for=i>x</label><button id=s>ok</button>
    <input type=radio name=r id=r1 checked><input type=radio name=r id=r2><button type=reset id=e></button></form>`);
  const lines = await ran(loop, `
    const by = (id) => document.getElementById(id);
    const i = by('i');
    i.addEventListener('click', (e) => { console.log('check', i.checked); e.preventDefault(); }, { once: true });
    i.click(); console.log('after', i.checked);
    for (const t of ['input', 'change']) i.addEventListener(t, (e) => console.log(t, e.constructor.name, e.isTrusted, e.bubbles,
      i.checked));
    i.click(); i.dispatchEvent(new Event('click')); i.dispatchEvent(new MouseEvent('click')); by('l').click();
    by('r2').click(); console.log(by('r1').checked, by('r2').checked, document.querySelectorAll(':checked').length);
    by('r1').addEventListener('click', (e) => e.preventDefault()); by('r1').click(); console.log(by('r1').checked, by('r2').checked);
    by('f').onsubmit = (e) => { console.log('submit', e.submitter?.id, e.isTrusted); return false; };
    by('s').click(); by('f').requestSubmit(); by('f').submit();
    by('f').onreset = () => console.log('reset'); by('e').click(); console.log(i.checked, by('r1').checked, by('f').elements.length);`);
  assert.deepEqual(lines, [
    'check true', 'after false', 'input Event true true true', 'change Event true true true', 'input Event true true false',
    'change Event true true false', 'input Event true true true', 'change Event true true true', 'false true 2', 'false true',
    'submit s true', 'submit undefined true', 'reset', 'false true 5']);
});

test('MutationObserver: one microtask, records, options', async () => {
  const loop = open('<div id=a data-x=1><p>old</p></div>');
  const lines = await ran(loop, `
    const a = document.getElementById('a');
    const show = (name) => (records, o) => console.log(name, records.map((r) => r.type + ' ' + (r.attributeName ?? '') + ' ' + r.oldValue + ' +' +
      r.addedNodes.length + ' -' + r.removedNodes.length).join('; '));
    const one = new MutationObserver(show('one')), two = new MutationObserver(show('two')), three = new MutationObserver(show('three'));
    two.observe(a, { attributes: true, attributeOldValue: true, attributeFilter: ['data-x', 'style'] });
    one.observe(a, { childList: true, subtree: true, characterData: true, characterDataOldValue: true });
    three.observe(a, { childList: true }); three.disconnect();
    queueMicrotask(() => console.log('micro 1'));
    a.setAttribute('data-x', '2'); a.setAttribute('other', ''); a.style.color = 'red';
    a.append('t', document.createElement('b'));
    a.firstChild.firstChild.data = 'new';
    a.firstChild.textContent = 'other';
    queueMicrotask(() => console.log('micro 2'));
    a.dataset.x = 3;
    a.innerHTML = '<i></i><b></b>';
    console.log('sync');
    const four = new MutationObserver(() => console.log('never')); four.observe(a, { attributes: true }); a.id = 'z';
    console.log(four.takeRecords().map((r) => r.attributeName + r.target.id + r.oldValue), four.takeRecords().length);`);
  assert.deepEqual(lines, [
    'sync', "[ 'idznull' ] 0", 'micro 1',
    'one childList  null +2 -0; characterData  old +0 -0; childList  null +1 -1; childList  null +2 -3',
    'two attributes data-x 1 +0 -0; attributes style null +0 -0; attributes data-x 2 +0 -0', 'micro 2']);
  // Observers that change what they observe are told again, before any task.
  assert.deepEqual(await ran(loop, `
    const target = document.createElement('p'); let n = 0;
    new MutationObserver(() => { console.log('told', n); if (n++ < 2) target.title = n; }).observe(target, { attributes: true });
    setTimeout(() => console.log('timer'));
    target.title = 'x';`), ['told 0', 'told 1', 'told 2', 'timer']);
  assert.match(loop.thrown('new MutationObserver(() => {}).observe(document, { subtree: true })'),
    /TypeError: Failed to execute 'observe'/);
});

test('tree: inserting, removing, moving, fragments', async () => {
  const loop = open('<ul id=u><li>1</li><li>2</li></ul>');
  const lines = await ran(loop, `
    const u = document.getElementById('u');
    const li = (text) => { const e = document.createElement('li'); e.append(text); return e; };
    const show = () => console.log([...u.children].map((c) => c.textContent).join(','));
    u.append(li(3)); u.prepend(li(0)); show();
    u.insertBefore(li('x'), u.children[1]); show();
    u.children[1].remove(); u.appendChild(u.firstElementChild); show();
    const f = document.createDocumentFragment(); f.append(li('f1'), li('f2')); u.lastChild.before(f); show();
      console.log(f.childNodes.length);
    u.firstChild.after('text', li('after')); u.replaceChild(li('r'), u.lastChild); show();
    u.firstElementChild.replaceWith(li('a'), li('b')); show();
    console.log(u.childNodes.length, u.firstChild.nextSibling.textContent, u.lastChild.previousSibling.textContent, u.children.length,
      u.children[9]);
    const copy = u.cloneNode(true); console.log(copy.outerHTML === u.outerHTML, copy.isConnected, u.isConnected, u.contains(u.firstChild),
      copy.isEqualNode(u));
    u.replaceChildren('only'); console.log(u.outerHTML, u.parentElement === document.body, u.ownerDocument === document);
    u.replaceChildren(); console.log(u.hasChildNodes(), [...document.body.childNodes].length, document.nodeName,
      u.getRootNode() === document);
    u.insertAdjacentHTML('beforeend', '<li>q</li>'); u.insertAdjacentText('afterend', 'tail'); console.log(document.body.innerHTML);
    const t = u.nextSibling; t.splitText(2); console.log(t.data, t.nextSibling.data); document.body.normalize(); console.log(t.data);
    console.log(u.compareDocumentPosition(t), document.body.compareDocumentPosition(u), Array.prototype.map.call(u.childNodes,
      (n) => n.nodeType).join());
    document.title = 'title'; console.log(document.title, document.head.innerHTML);`);
  assert.deepEqual(lines, [
    '0,1,2,3', '0,x,1,2,3', '1,2,3,0', '1,2,3,f1,f2,0', '0', '1,after,2,3,f1,f2,r', 'a,b,after,2,3,f1,f2,r', '9 b f2 8 undefined',
    'true false true true true', '<ul id="u">only</ul> true true', 'false 1 #document true', '<ul id="u"><li>q</li></ul>tail', 'ta il',
      'tail',
    '4 20 1', 'title <title>title</title>']);
  assert.ok(loop.changes > 10);
  assert.match(loop.thrown("document.body.appendChild(document.documentElement)"), /^HierarchyRequestError: .*contains the parent/);
  assert.match(loop.thrown("document.body.insertBefore(document.createElement('p'), document.head)"), /^NotFoundError/);
});

test('selectors', () => {
  const loop = open(`<div id=a class="x y" data-k="v w"><p class=x>1</p><p>2<span title="q">3</span></p><input disabled></div><p class="x z">4</p>`);
  const found = (text) => JSON.parse(loop.get(`[...document.querySelectorAll(${JSON.stringify(text)})].map((e) => e.tagName + (e.className ? '.' + e.className : ''))`));
  assert.deepEqual(found('p'), ['P.x', 'P', 'P.x z']);
  assert.deepEqual(found('#a > p.x'), ['P.x']);
  assert.deepEqual(found('div span, .z'), ['SPAN', 'P.x z']);
  assert.deepEqual(found('div > span'), []);
  assert.deepEqual(found('[title]'), ['SPAN']);
  assert.deepEqual(found("[data-k~='w'][class^=x]"), ['DIV.x y']);
  assert.deepEqual(found('p.x + p'), ['P']);
  assert.deepEqual(found('p ~ input'), ['INPUT']);
  assert.deepEqual(found('p:not(.x)'), ['P']);
  assert.deepEqual(found('div p:first-child, p:nth-child(2n)'), ['P.x', 'P', 'P.x z']);
  assert.deepEqual(found(':is(span, input):disabled'), ['INPUT']);
  assert.deepEqual(found('* > *:empty'), ['HEAD', 'INPUT']);
  assert.equal(loop.get("document.querySelector('span').closest('div.x').id"), '"a"');
  assert.equal(loop.get("document.querySelector('span').matches('p *')"), 'true');
  assert.equal(loop.get("document.querySelector('#a').querySelector('body p').textContent"), '"1"');
  for (const bad of ['!', '', 'p[', '..', 'p >', ', p', '#1', ':unknown']) assert.match(loop.thrown(`document.querySelector('${bad}')`),
    /^SyntaxError/, bad);
  assert.deepEqual(found('div:has(span), p:nth-last-of-type(1), p::before'), ['DIV.x y', 'P', 'P.x z']);
  assert.equal(loop.get("document.getElementsByClassName('x').length"), '3');
  assert.equal(loop.get("document.getElementsByTagName('p').length"), '3');
});

test('markup: parsed and written', () => {
  const loop = open();
  const parsed = (text) => {
    loop.context.given = text;
    return JSON.parse(loop.get('(document.body.innerHTML = given, document.body.innerHTML)'));
  };
  assert.equal(parsed('<p>a<p>b<div>c</div>'), '<p>a</p><p>b</p><div>c</div>');
  assert.equal(parsed('<ul><li>1<li>2<ul><li>3</ul><li>4</ul>'), '<ul><li>1</li><li>2<ul><li>3</li></ul></li><li>4</li></ul>');
  assert.equal(parsed('<br><img src=a.png alt=\'x "y"\'><input disabled>'),
    '<br><img src="a.png" alt="x &quot;y&quot;"><input disabled="">');
  assert.equal(parsed('a &lt; b &amp; c &#65;&#x42; <!-- note --> 1 < 2'), 'a &lt; b &amp; c AB <!-- note --> 1 &lt; 2');
  assert.equal(parsed('<script>if (a < b) c("</p>")</script>x'), '<script>if (a < b) c("</p>")</script>x');
  assert.equal(parsed('<textarea>\n<b>&amp;</textarea>'), '<textarea>&lt;b&gt;&amp;</textarea>');
  assert.equal(parsed('<DIV ID=a Class=b></div></p><span/>x'), '<div id="a" class="b"></div><p></p><span>x</span>');
  assert.equal(parsed('<table><tr><td>1<td>2<tr><td>3</table>'), '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>');
  const whole = open('<!doctype html><html lang=de><head><title>t</title></head><body class=c><p>x</p></body></html>');
  assert.equal(whole.get('document.documentElement.outerHTML'),
               JSON.stringify('<html lang="de"><head><title>t</title></head><body class="c"><p>x</p></body></html>'));
});

test('attributes, classes, dataset, style', async () => {
  const loop = open('<div id=a class="one two" style="color: red; margin-top: 1px"></div>');
  const lines = await ran(loop, `
    const a = document.querySelector('#a');
    a.classList.add('three', 'one'); a.classList.remove('two'); console.log(a.className, a.classList.toggle('x'), a.classList.toggle('x',
      false),
      a.classList.contains('three'), a.classList.length, a.classList[0] ?? 'none', [...a.classList].join());
    a.dataset.fooBar = 1; console.log(a.getAttribute('data-foo-bar'), a.dataset.fooBar, 'fooBar' in a.dataset,
      Object.keys(a.dataset).join(), delete a.dataset.fooBar, a.dataset.fooBar);
    console.log(a.style.color, a.style.marginTop, a.style.length, a.style.cssText);
    a.style.backgroundColor = 'blue'; a.style.color = ''; a.style.setProperty('--x', '5'); console.log(a.getAttribute('style'),
      a.style.getPropertyValue('--x'), getComputedStyle(a).backgroundColor);
    a.style.cssText = 'width: 5px'; console.log(a.outerHTML);
    console.log(a.toggleAttribute('hidden'), a.hidden, a.getAttributeNames().join(), a.attributes.length, a.attributes[0].name,
      a.attributes.getNamedItem('id').value);
    a.hidden = false; console.log(a.hasAttribute('hidden'), a.title, a.tabIndex); a.removeAttribute('nothing');
    console.log(a.offsetWidth, a.getBoundingClientRect().width, JSON.stringify(a.getBoundingClientRect()).length > 10);
    const s = document.createElement('select'); s.innerHTML = '<option value=1>a<option selected>b'; console.log(s.value, s.selectedIndex,
      s.options.length); s.value = '1'; console.log(s.selectedIndex);
    const i = document.createElement('input'); i.setAttribute('value', 'd'); console.log(i.value); i.value = 'v'; i.setAttribute('value',
      'e'); console.log(i.value, i.defaultValue, i.type);`);
  assert.deepEqual(lines, [
    'one three true false true 2 none one,three', "1 1 true fooBar true undefined", 'red 1px 2 color: red; margin-top: 1px;',
    'margin-top: 1px; background-color: blue; --x: 5; 5 blue', '<div id="a" class="one three" style="width: 5px;"></div>',
    'true true id,class,style,hidden 4 id a', 'false  -1', '0 0 true', 'b 1 2', '0', 'd', 'v e text']);
  assert.ok(loop.layouts >= 3);
});

test('MessageChannel: start, onmessage, close, transfer', async () => {
  const loop = open();
  assert.deepEqual(await ran(loop, `
    const { port1, port2 } = new MessageChannel();
    port1.postMessage('early'); port1.postMessage({ a: [1, new Date(0)] });
    port2.addEventListener('message', (e) => console.log('listener', e.data));
    setTimeout(() => { console.log('timer'); port2.start(); },
      10);`), ['timer', 'listener early', "listener { a: [ 1, 1970-01-01T00:00:00.000Z ] }"]);
  assert.deepEqual(await ran(loop, `
    { const { port1, port2 } = new MessageChannel();
      port2.onmessage = (e) => { console.log('on', e.data, e.origin === '', e.ports.length, e.source, e.isTrusted);
        queueMicrotask(() => console.log('micro')); };
      port1.postMessage(1); port1.postMessage(2); console.log('sync');
        }`), ['sync', 'on 1 true 0 null true', 'micro', 'on 2 true 0 null true', 'micro']);
  assert.deepEqual(await ran(loop, `
    { const a = new MessageChannel(), b = new MessageChannel();
      b.port1.postMessage('before');
      a.port2.onmessage = (e) => { const [p] = e.ports; console.log(e.data.port === p, e.ports.length);
        p.onmessage = (e) => console.log('moved', e.data); };
      a.port1.postMessage({ port: b.port2 }, [b.port2]);
      b.port1.postMessage('after');
      b.port2.onmessage = () => console.log('never'); }`), ['true 1', 'moved before', 'moved after']);
  assert.deepEqual(await ran(loop, `
    { const { port1, port2 } = new MessageChannel(); port2.onmessage = (e) => console.log('got', e.data);
      port1.postMessage('sent'); port1.close(); port1.postMessage('lost');
      const c = new MessageChannel(); c.port2.onmessage = () => console.log('closed got it'); c.port1.postMessage(1); c.port2.close();
        }`), ['got sent']);
  assert.deepEqual(await ran(loop, `
    { const one = new BroadcastChannel('n'), two = new BroadcastChannel('n'), other = new BroadcastChannel('o');
      for (const c of [one, two, other]) c.onmessage = (e) => console.log(c.name, c === one, e.data); one.postMessage('hi');
        }`), ['n false hi']);
  assert.deepEqual(await ran(loop, `
    window.onmessage = (e) => console.log('window', e.data, e.origin, e.source === window);
    postMessage('m', '*'); postMessage('no', 'http://other/'); postMessage('same', 'http://localhost'); window.postMessage('plain');
      console.log('sync');`),
                   ['sync', 'window m http://localhost true', 'window same http://localhost true', 'window plain http://localhost true']);
});

test('structuredClone', () => {
  const loop = open();
  assert.equal(loop.get(`(() => { const o = { m: new Map([[1, new Set([2])]]), b: new Uint8Array([1, 2]), e: new RangeError('r'), u: undefined }; o.self = o;
    const c = structuredClone(o); return [c !== o, c.self === c, c.m.get(1).has(2), c.b[1], c.e instanceof RangeError, c.e.message,
      'u' in c]; })()`),
               '[true,true,true,2,true,"r",true]');
  assert.equal(loop.get(`(() => { const b = new ArrayBuffer(4); const c = structuredClone(b, { transfer: [b] }); return [b.byteLength, c.byteLength]; })()`), '[0,4]');
  const said = (text) => loop.thrown(text).replace("DataCloneError: Failed to execute 'structuredClone' on 'Window': ", '');
  assert.equal(said('structuredClone(() => {})'), '() => {} could not be cloned.');
  assert.equal(said('structuredClone(Symbol("s"))'), 'Symbol(s) could not be cloned.');
  assert.equal(said('structuredClone(document.body)'), 'HTMLBodyElement object could not be cloned.');
  assert.equal(said('structuredClone(Promise.resolve())'), '#<Promise> could not be cloned.');
  assert.equal(said('structuredClone(new MessageChannel().port1)'), 'A MessagePort could not be cloned because it was not transferred.');
  assert.equal(said('structuredClone(window)'), '#<Window> could not be cloned.');
  assert.equal(said('const b = new ArrayBuffer(1); structuredClone(b, { transfer: [b, b] })'),
    'ArrayBuffer at index 1 is a duplicate of an earlier ArrayBuffer.');
  const firefox = open('', { name: 'firefox', version: 153 });
  assert.equal(firefox.thrown('structuredClone(() => {})'), 'DataCloneError: Function object could not be cloned.');
});

test('AbortController, AbortSignal.any, AbortSignal.timeout', async () => {
  const loop = open();
  const lines = await ran(loop, `
    const a = new AbortController(), b = new AbortController();
    const any = AbortSignal.any([a.signal, b.signal]), nested = AbortSignal.any([any]);
    a.signal.addEventListener('abort', () => console.log('a', any.aborted, nested.aborted));
    any.onabort = (e) => console.log('any', e.isTrusted, any.reason);
    nested.onabort = () => console.log('nested', nested.reason);
    a.abort('why'); a.abort('again'); b.abort('b'); console.log(b.signal.reason, any.reason);
    console.log(AbortSignal.any([AbortSignal.abort(7)]).reason, AbortSignal.abort().reason.name, AbortSignal.abort().reason.message);
    const t = AbortSignal.timeout(20);
    t.onabort = () => { console.log(performance.now(), t.reason.name, t.reason.message, t.reason.code); try { t.throwIfAborted();
      } catch (e) { console.log(e === t.reason); } };
    setTimeout(() => console.log('timer'), 20);`);
  assert.deepEqual(lines, [
    'a true true', 'any true why', 'nested why', 'b why', '7 AbortError signal is aborted without reason',
      '20 TimeoutError signal timed out 23',
    'true', 'timer']);
});

test('scheduler: priorities, delay, abort, setPriority, yield', async () => {
  const loop = open();
  assert.deepEqual(await ran(loop, `
    const post = (name, o) => scheduler.postTask(() => { console.log(name); return name; }, o);
    post('background', { priority: 'background' }); post('visible'); post('blocking', { priority: 'user-blocking' }); post('late',
      { delay: 5, priority: 'user-blocking' });
    post('value').then((v) => console.log('then', v));
    scheduler.postTask(() => { throw new Error('no'); }).catch((e) => console.log('caught', e.message));`),
                   ['blocking', 'visible', 'value', 'then value', 'caught no', 'background', 'late']);
  assert.deepEqual(await ran(loop, `
    { const c = new TaskController({ priority: 'background' });
      c.signal.onprioritychange = (e) => console.log('change', e.previousPriority, c.signal.priority);
      post('moved', { signal: c.signal }); post('fixed', { signal: c.signal, priority: 'user-visible' }); post('other');
      c.setPriority('user-blocking'); c.setPriority('user-blocking');
      const d = new TaskController(); post('never', { signal: d.signal }).catch((e) => console.log('aborted', e.name)); d.abort();
      post('never', { signal: AbortSignal.abort('given') }).catch((e) => console.log('aborted', e)); }`),
                   ['change background user-blocking', 'aborted AbortError', 'aborted given', 'moved', 'fixed', 'other']);
  assert.deepEqual(await ran(loop, `
    scheduler.postTask(async () => { console.log('one'); await scheduler.yield(); console.log('two'); });
    scheduler.yield().then(() => console.log('yielded'));`), ['yielded', 'one', 'two']);
  assert.equal(open('', { version: 128 }).get('[typeof scheduler.postTask, typeof scheduler.yield]'), '["function","undefined"]');
  assert.equal(open('', { name: 'chrome-72', version: 72 }).get('[typeof scheduler, typeof TaskController, typeof structuredClone, typeof AbortSignal.any, typeof queueMicrotask]'),
               '["undefined","undefined","undefined","undefined","function"]');
});

test('uncaught exceptions: the error event, onerror, reportError', async () => {
  const loop = open();
  assert.deepEqual(await ran(loop, `
    setTimeout(() => { throw new Error('boom'); });
    setTimeout(() => { throw { a: 1 }; }); setTimeout(() => { throw 'x'; }); setTimeout(() => null.x);`).then((lines) => lines.slice(0, 3)),
                   ['error: Uncaught Error: boom', 'error: Uncaught [object Object]', 'error: Uncaught x']);
  assert.deepEqual(await ran(loop, `
    window.addEventListener('error', (e) => { console.log(e.constructor.name, e.message, e.error.message, e.filename.slice(-10),
      e.lineno > 0, e.cancelable, e.bubbles); });
    onerror = (message, file, line, column, error) => { console.log('onerror', message, error.message); return error.message === 'handled';
      };
    setTimeout(() => { throw new Error('handled'); }); setTimeout(() => reportError(new TypeError('told')));`), [
    'ErrorEvent Uncaught Error: handled handled program.js true true false', 'onerror Uncaught Error: handled handled',
    'ErrorEvent Uncaught TypeError: told told program.js true true false', 'onerror Uncaught TypeError: told told',
      'error: Uncaught TypeError: told']);
  assert.deepEqual(await ran(loop, `onerror = () => { throw new Error('second'); }; setTimeout(() => { throw new Error('first'); });`),
                   ['ErrorEvent Uncaught Error: first first program.js true true false', 'error: Uncaught Error: second',
                     'error: Uncaught Error: first']);
  const firefox = open('', { name: 'firefox', version: 153 });
  assert.deepEqual(await ran(firefox, `
    onerror = (message) => { console.log(message); };
    setTimeout(() => { throw new Error('boom'); }); setTimeout(() => { throw 'x'; }); setTimeout(() => { throw { a: 1 }; });`), [
    'Error: boom', 'error: Uncaught Error: boom', 'uncaught exception: x', 'error: Uncaught x', 'uncaught exception: [object Object]',
    'error: Uncaught [object Object]']);
});

test('unhandled rejections', () => {
  const loop = open();
  loop.context.p = 1;
  const { rejected, rejectionHandled } = loop.library;
  const [promise, error] = loop.run('const promise = new Promise(() => {}), error = new Error("lost"); [promise, error]');
  rejected(promise, error);
  rejected(promise, 'text');
  assert.deepEqual(loop.take(), ['error: Uncaught (in promise) Error: lost', 'error: Uncaught (in promise) text']);
  loop.run(`onunhandledrejection = (e) => { console.log(e.type, e.promise === promise, e.reason === error); e.preventDefault(); };
    addEventListener('rejectionhandled', (e) => console.log(e.type, e.reason === error));`);
  rejected(promise, error);
  rejectionHandled(promise, error);
  assert.deepEqual(loop.take(), ['unhandledrejection true true', 'rejectionhandled true']);
});

test('frames, idle time, observers', async () => {
  const loop = open('<div id=a style="width: 10px"></div>');
  loop.run(`
    const a = document.querySelector('#a');
    new ResizeObserver((entries) => console.log('resize', entries.map((e) => e.target.id + e.contentRect.width).join())).observe(a);
    new IntersectionObserver((entries) => console.log('intersection', entries.map((e) => e.isIntersecting).join())).observe(a);
    requestAnimationFrame((t) => { console.log('frame', t); queueMicrotask(() => console.log('micro'));
      requestAnimationFrame(() => console.log('next')); });
    cancelAnimationFrame(requestAnimationFrame(() => console.log('never')));
    requestIdleCallback((d) => console.log('idle', d.didTimeout, d.timeRemaining(), String(d)));
    requestIdleCallback((d) => console.log('timed out', d.didTimeout, d.timeRemaining()), { timeout: 5 });`);
  loop.frame();
  await loop.until();
  loop.idle(12);
  assert.deepEqual(loop.take(), ['frame 0', 'micro', 'resize a10', 'intersection true', 'idle false 12 [object IdleDeadline]',
    'timed out true 0']);
  loop.run("a.style.width = '20px'; a.style.height = '5px'");
  loop.frame();
  loop.run("a.style.display = 'none'");
  loop.frame();
  await loop.until();
  loop.run('a.remove()');
  loop.frame();
  assert.deepEqual(loop.take(), ['next', 'resize a20', 'resize a0', 'intersection false']);
  // A callback that changes a size above is told in the next frame.
  loop.run(`
    document.body.innerHTML = '<p id=p style="width:1px"><b id=q style="width:1px"></b></p>';
    const p = document.querySelector('#p'), q = document.querySelector('#q'); let n = 0;
    const ro = new ResizeObserver((entries) => { console.log(entries.map((e) => e.target.id).join());
      if (n++ === 0) { q.style.width = '2px'; p.style.width = '2px'; } });
    ro.observe(p); ro.observe(q);`);
  loop.frame();
  loop.frame();
  assert.deepEqual(loop.take(), ['p,q', 'q', 'error: ResizeObserver loop completed with undelivered notifications.', 'p']);
});

test('fetch', async () => {
  const loop = open();
  loop.answers = { 'GET http://localhost/data': { takes: 5, status: 200, body: { a: 1 }, headers: { 'Content-Type': 'application/json' } },
    'POST http://localhost/no': { takes: 1, status: 404, body: 'none', headers: {} } };
  assert.deepEqual(await ran(loop, `
    fetch('/data').then(async (r) => { console.log(performance.now(), r.status, r.ok, r.statusText, r.headers.get('content-type'), r.url,
      r.type); console.log(await r.json(), r.bodyUsed);
      await r.text().catch((e) => console.log(e.message)); });
    fetch('no', { method: 'post', body: 'x' }).then(async (r) => console.log(performance.now(), r.status, r.ok, await r.text()));
    fetch('http://other/').catch((e) => console.log(e.name, e.message));
    fetch('http://[').catch((e) => console.log(e.message));
    console.log('sync');`), [
    'sync', "Failed to execute 'fetch' on 'Window': Failed to parse URL from http://[", 'TypeError Failed to fetch', '1 404 false none',
    '5 200 true OK application/json http://localhost/data basic', '{ a: 1 } true',
      "Failed to execute 'text' on 'Response': body stream already read"]);
  assert.deepEqual(await ran(loop, `
    { const c = new AbortController(); fetch('/data', { signal: c.signal }).catch((e) => console.log(performance.now(), e.name));
      setTimeout(() => c.abort(), 2);
      fetch('/data', { signal: AbortSignal.timeout(3) }).catch((e) => console.log(performance.now(), e.name));
        }`), ['7 AbortError', '8 TimeoutError']);
  assert.deepEqual(await ran(loop, `
    { const h = new Headers({ B: '2', a: '1' }); h.append('a', 'x'); console.log([...h].join(';'), h.has('A'));
      new Response('{"q":2}').json().then((v) => console.log(v.q)); const r = new Request('/x', { method: 'put', headers: h, body: 'b' });
        console.log(r.method, r.url, r.headers.get('b'));
      fetch('data:text/plain,hello').then((r) => r.text()).then((t) => console.log(t));
        }`), ['a,1, x;b,2 true', 'PUT http://localhost/x 2', '2', 'hello']);
});

test('XMLHttpRequest: order of events', async () => {
  const program = (url) => `
    { const x = new XMLHttpRequest();
      for (const t of ['readystatechange', 'loadstart', 'progress', 'load', 'loadend', 'error', 'abort', 'timeout']) x.addEventListener(t,
        (e) => console.log(t, x.readyState, e.loaded ?? ''));
      x.open('GET', '${url}'); x.send(); console.log('sent'); `;
  const loop = open();
  loop.answers = { 'GET http://localhost/data': { takes: 5, status: 200, body: 'hello', headers: { A: 'b' } },
    'GET http://localhost/empty': { takes: 0, status: 200, body: '', headers: {} } };
  assert.deepEqual(await ran(loop, `${program('/data')} x.onload = () => console.log(x.responseText, x.status, x.getResponseHeader('a'), x.responseURL); }`), [
    'readystatechange 1 ', 'loadstart 1 0', 'sent', 'readystatechange 2 ', 'readystatechange 3 ', 'progress 3 5', 'readystatechange 4 ',
      'load 4 5',
    'hello 200 b http://localhost/data', 'loadend 4 5']);
  assert.deepEqual(await ran(loop, `${program('http://other/')} }`), [
    'readystatechange 1 ', 'loadstart 1 0', 'sent', 'readystatechange 4 ', 'error 4 0', 'loadend 4 0']);
  assert.deepEqual(await ran(loop, `${program('/empty')} }`), [
    'readystatechange 1 ', 'loadstart 1 0', 'sent', 'readystatechange 2 ', 'readystatechange 4 ', 'load 4 0', 'loadend 4 0']);
  assert.deepEqual(await ran(loop, `${program('/data')} x.abort(); console.log(x.readyState); }`), [
    'readystatechange 1 ', 'loadstart 1 0', 'sent', 'readystatechange 4 ', 'abort 4 0', 'loadend 4 0', '0']);
  assert.deepEqual(await ran(loop, `${program('/data')} x.timeout = 2; }`).then((lines) => lines.slice(3)), ['readystatechange 4 ',
    'timeout 4 0', 'loadend 4 0']);
});

test('history and location', async () => {
  const loop = open('<a id=l href="#link">x</a>', { url: 'http://localhost/page?q=1' });
  assert.deepEqual(await ran(loop, `
    onpopstate = (e) => console.log('popstate', JSON.stringify(e.state), location.hash, e.isTrusted, e.bubbles);
    onhashchange = (e) => console.log('hashchange', e.oldURL.slice(-4), e.newURL.slice(-4));
    history.pushState({ n: 1 }, '', '#one'); history.pushState({ n: 2 }, '', '/other'); console.log(location.pathname, history.length,
      history.state.n);
    history.back(); console.log('called', location.href);`), ['/other 3 2', 'called http://localhost/other', 'popstate {"n":1} #one true false']);
  assert.deepEqual(await ran(loop, `history.replaceState('r', ''); history.go(-1); setTimeout(() => history.go(-1));`), [
    'popstate null  true false', 'hashchange #one ?q=1']);
  assert.deepEqual(await ran(loop, `location.hash = 'three'; console.log('set', history.length); location.hash = 'three';`), [
    'popstate null #three true false', 'set 2', 'hashchange ?q=1 hree']);
  assert.deepEqual(await ran(loop, `document.getElementById('l').click(); history.back();`), [
    'popstate null #link true false', 'hashchange hree link', 'popstate null #three true false', 'hashchange link hree']);
  assert.deepEqual(await ran(loop, `location.href = '/elsewhere'`),
    ['warn: The page would be left for http://localhost/elsewhere, which is not simulated.']);
  assert.match(loop.thrown("history.pushState(null, '', 'http://other.example/')"),
    /^SecurityError: Failed to execute 'pushState' on 'History': A history state/);
});

test('timers, texts as timers, arguments', async () => {
  const loop = open();
  assert.deepEqual(await ran(loop, `
    setTimeout((...args) => console.log(...args), 5, 1, 'two'); setTimeout('console.log("text", this === window)', 1);
    clearTimeout(setTimeout(() => console.log('never')));
    let n = 0; const id = setInterval(() => { console.log('interval', n); if (++n === 2) clearInterval(id); }, 2);
    queueMicrotask(() => { throw new Error('micro'); }); console.log('sync', typeof id);`), [
    'sync number', 'error: Uncaught Error: micro', 'text true', 'interval 0', 'interval 1', '1 two']);
});

test('console', async () => {
  const loop = open('<div id=a class="b c"></div>');
  assert.deepEqual(await ran(loop, `
    console.log(); console.log('a', 1, -0, 5n, null, undefined, true, Symbol('s')); console.log('%s is %d years %i %f %%', 'x', '42.5',
      3.7, '1.5', 'rest'); console.log('%cstyled', 'color: red');
    console.log({ a: 1, b: { c: [1, 2, { d: { e: {} } }] } }); console.log([1, 'two', [3]]); console.log(new Error('e'),
      { x: new TypeError('t') }); console.log('%o', { a: 1 }, '%s');
    console.log(document.getElementById('a'), document, [document.body]); console.log(new Map([[1, 2]]), function f() {});
      console.info('i'); console.warn('w'); console.error('e'); console.debug('d');
    console.group('g'); console.log('in'); console.groupEnd(); console.count(); console.count(); console.countReset(); console.count('x');
      console.assert(true, 'no'); console.assert(false, 'yes %s', 1); console.assert(false);
    console.time('t'); console.timeEnd('t'); console.timeEnd('t'); console.dir({ q: 1 }); console.table([[1, 2]]); console.trace('here');
      console.log(new Event('x'), window);`), [
    '', 'a 1 -0 5n null undefined true Symbol(s)', 'x is 42 years 3 1.5 % rest', 'styled',
      '{ a: 1, b: { c: [ 1, 2, { d: { e: {} } } ] } }', "[ 1, 'two', [ 3 ] ]",
    'Error: e { x: [TypeError: t] }', '{ a: 1 } %s', 'div#a.b.c #document [ body ]', 'Map(1) { 1 => 2 } [Function: f]', 'info: i',
      'warn: w', 'error: e', 'debug: d',
    'g', 'in', 'default: 1', 'default: 2', 'x: 1', 'error: Assertion failed: yes 1', 'error: Assertion failed: console.assert', 't: 0 ms',
    "warn: Timer 't' does not exist", '{ q: 1 }', '[ [ 1, 2 ] ]', 'here', 'Event {isTrusted: false} Window']);
});

test('the window: property attributes, tags, what is not there', () => {
  const loop = open();
  const attributes = (name) => loop.get(`((d) => d && [d.writable, d.enumerable, d.configurable, typeof d.get, typeof d.set])(Object.getOwnPropertyDescriptor(globalThis, '${name}'))`);
  assert.equal(attributes('setTimeout'), '[true,true,true,"undefined","undefined"]');
  assert.equal(attributes('Event'), '[true,false,true,"undefined","undefined"]');
  assert.equal(attributes('performance'), '[null,true,true,"function","function"]');
  assert.equal(attributes('navigator'), '[null,true,true,"function","undefined"]');
  assert.equal(attributes('onerror'), '[null,true,true,"function","function"]');
  assert.equal(loop.get('[typeof process, typeof Buffer, typeof setImmediate, typeof require, typeof global]'),
    '["undefined","undefined","undefined","undefined","undefined"]');
  assert.equal(loop.get('[window === self, window === top, document.defaultView === window, String(window), String(document), String(console), String(new Event("x")), String(document.body)]'),
               '[true,true,true,"[object Window]","[object HTMLDocument]","[object console]","[object Event]","[object HTMLBodyElement]"]');
  assert.equal(loop.get('[window instanceof EventTarget, window instanceof Window, document instanceof Node, new MouseEvent("x") instanceof UIEvent]'), '[true,true,true,true]');
  assert.equal(loop.get('[setTimeout, setInterval, clearTimeout, requestAnimationFrame, requestIdleCallback, fetch, postMessage, structuredClone, queueMicrotask, addEventListener, Event, CustomEvent, MutationObserver, IntersectionObserver, AbortController].map((f) => f.length)'),
               '[1,1,0,1,1,1,1,1,1,2,1,1,1,1,0]');
  assert.equal(loop.get('Object.keys(new Event("x"))'), '["isTrusted"]');
  assert.equal(loop.get('[atob(btoa("hällo")), btoa("ab"), crypto.randomUUID().length, crypto.getRandomValues(new Uint8Array(2))[0], navigator.userAgent.includes("Chrome/156"), new URL("/x", location).href]'),
               '["hällo","YWI=",36,128,true,"http://localhost/x"]');
  assert.equal(loop.get('(localStorage.a = 1, localStorage.setItem("b", 2), [localStorage.a, localStorage.getItem("b"), localStorage.length, sessionStorage.length, Object.keys(localStorage)])'), '["1","2",2,0,["a","b"]]');
  assert.equal(loop.get('[alert(), confirm(), prompt()]'), '[null,false,null]');
  assert.equal(loop.get('(performance.mark("a"), performance.measure("m", "a"), performance.getEntriesByType("measure").map((e) => e.name))'), '["m"]');
});

test('names of elements are names of the window, of forms and of lists', async () => {
  const loop = open('<form id=f><input name=n value=v></form><p id=name></p><p id=own></p><p id=later></p>');
  assert.deepEqual(await ran(loop, `
    console.log(f === document.getElementById('f'), typeof window.name, own.id, f.elements.n.value, document.forms.f === f);
    var later = 5; console.log(later, 'f' in window, f.attributes.id.value);
    own = 7; console.log(own); try { nothing; } catch (e) { console.log(e.name); }
    const made = document.createElement('p'); made.id = 'made2'; document.body.append(made); console.log(made2 === made);`), [
    'true string own v true', '5 true f', '7', 'ReferenceError', 'true']);
});

test('document: events of loading', () => {
  const loop = open();
  loop.run(`console.log(document.readyState); document.onreadystatechange = () => console.log(document.readyState);
    document.addEventListener('DOMContentLoaded', (e) => console.log(e.type, e.bubbles)); window.addEventListener('DOMContentLoaded',
      () => console.log('window'));
    onload = (e) => console.log('load', e.target === window || e.target === document); document.addEventListener('load',
      () => console.log('never'));`);
  loop.library.finishParsing();
  loop.library.finishLoading();
  assert.deepEqual(loop.take(), ['loading', 'interactive', 'DOMContentLoaded true', 'window', 'complete', 'load true']);
});

// What the browsers themselves said: Chromium 156, Firefox 153.
const words = [
  ['new Node()', "Failed to construct 'Node': Illegal constructor", 'Illegal constructor.'],
  ['new Event()', "Failed to construct 'Event': 1 argument required, but only 0 present.",
    'Event constructor: At least 1 argument required, but only 0 passed'],
  ["new Event('x', 5)", "Failed to construct 'Event': The provided value is not of type 'EventInit'.",
    "Event constructor: Argument 2 can't be converted to a dictionary."],
  ["new PromiseRejectionEvent('x', {})", "Failed to construct 'PromiseRejectionEvent': Failed to read the 'promise' property from 'PromiseRejectionEventInit': Required member is undefined.",
    "PromiseRejectionEvent constructor: Missing required 'promise' member of PromiseRejectionEventInit."],
  ["document.createElement('1')", "Failed to execute 'createElement' on 'Document': The tag name provided ('1') is not a valid name.",
    'Document.createElement: Invalid element name'],
  ['document.body.appendChild(null)', "Failed to execute 'appendChild' on 'Node': parameter 1 is not of type 'Node'.",
    'Node.appendChild: Argument 1 is not an object.'],
  ['document.body.appendChild({})', "Failed to execute 'appendChild' on 'Node': parameter 1 is not of type 'Node'.",
    'Node.appendChild: Argument 1 does not implement interface Node.'],
  ['document.body.append(document.body)', "Failed to execute 'append' on 'Element': The new child element contains the parent.",
    'Element.append: The new child is an ancestor of the parent'],
  ['document.body.removeChild(document.head)', "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.", 'Node.removeChild: The node to be removed is not a child of this node'],
  ["document.body.addEventListener('x', 5)", "Failed to execute 'addEventListener' on 'EventTarget': parameter 2 is not of type 'Object'.",
    'EventTarget.addEventListener: Argument 2 is not an object.'],
  ["document.body.addEventListener('x', () => {}, { signal: null })",
    "Failed to execute 'addEventListener' on 'EventTarget': Failed to read the 'signal' property from 'AddEventListenerOptions': Failed to convert value to 'AbortSignal'.",
    "EventTarget.addEventListener: 'signal' member of AddEventListenerOptions is not an object."],
  ['document.body.dispatchEvent({})', "Failed to execute 'dispatchEvent' on 'EventTarget': parameter 1 is not of type 'Event'.",
    'EventTarget.dispatchEvent: Argument 1 does not implement interface Event.'],
  ["document.body.dispatchEvent(document.createEvent('Event'))",
    "Failed to execute 'dispatchEvent' on 'EventTarget': The event provided is uninitialized.",
    'An attempt was made to use an object that is not, or is no longer, usable'],
  ["document.querySelector('!')", "Failed to execute 'querySelector' on 'Document': '!' is not a valid selector.",
    "Document.querySelector: '!' is not a valid selector"],
  ["document.body.classList.add('a b')", "Failed to execute 'add' on 'DOMTokenList': The token provided ('a b') contains HTML space characters, which are not valid in tokens.", 'DOMTokenList.add: The token can not contain whitespace.'],
  ["document.body.dataset['a-b'] = 1", "Failed to set a named property 'a-b' on 'DOMStringMap': 'a-b' is not a valid property name.",
    'An invalid or illegal string was specified'],
  ['setTimeout()', "Failed to execute 'setTimeout' on 'Window': 1 argument required, but only 0 present.",
    'Window.setTimeout: At least 1 argument required, but only 0 passed'],
  ['requestAnimationFrame(5)', "Failed to execute 'requestAnimationFrame' on 'Window': parameter 1 is not of type 'Function'.",
    'Window.requestAnimationFrame: Argument 1 is not an object.'],
  ['new MutationObserver(() => {}).observe(document, {})', "Failed to execute 'observe' on 'MutationObserver': The options object must set at least one of 'attributes', 'characterData', or 'childList' to true.",
    "MutationObserver.observe: One of 'childList', 'attributes', 'characterData' must not be false."],
  ['AbortSignal.timeout(-1)', "Failed to execute 'timeout' on 'AbortSignal': Value is outside the 'unsigned long long' value range.",
    'AbortSignal.timeout: Argument 1 is out of range for unsigned long long.'],
  ["new TaskController({ priority: 'x' })", "Failed to construct 'TaskController': Failed to read the 'priority' property from 'TaskControllerInit': The provided value 'x' is not a valid enum value of type TaskPriority.",
    "TaskController constructor: 'x' (value of 'priority' member of TaskControllerInit) is not a valid value for enumeration TaskPriority."],
  ["new TaskController().setPriority('x')", "Failed to execute 'setPriority' on 'TaskController': The provided value 'x' is not a valid enum value of type TaskPriority.",
    "TaskController.setPriority: 'x' (value of argument 1) is not a valid value for enumeration TaskPriority."],
  ['new XMLHttpRequest().send()', "Failed to execute 'send' on 'XMLHttpRequest': The object's state must be OPENED.",
    'XMLHttpRequest.send: XMLHttpRequest state must be OPENED.'],
  ["atob('*')", "Failed to execute 'atob' on 'Window': The string to be decoded is not correctly encoded.",
    'String contains an invalid character'],
  ["new Headers({ 'a b': 'c' })", "Failed to construct 'Headers': Invalid name", 'Headers constructor: a b is an invalid header name.'],
  ["new Response('', { status: 99 })", "Failed to construct 'Response': The status provided (99) is outside the range [200, 599].",
    'Response constructor: Invalid response status code.'],
  ["new Request('/', { body: 'x' })", "Failed to construct 'Request': Request with GET/HEAD method cannot have body.",
    'Request constructor: HEAD or GET Request cannot have a body.'],
  ['crypto.getRandomValues(5)', "Failed to execute 'getRandomValues' on 'Crypto': parameter 1 is not of type 'ArrayBufferView'.",
    'Crypto.getRandomValues: Argument 1 is not an object.'],
  ["performance.measure('x', 'nomark')", "Failed to execute 'measure' on 'Performance': The mark 'nomark' does not exist.",
    'Performance.measure: Given mark name, nomark, is unknown'],
  ["new URL('x')", "Failed to construct 'URL': Invalid URL", 'URL constructor: x is not a valid URL.'],
  ['EventTarget.prototype.addEventListener.call({}, 1, () => {})', 'Illegal invocation',
    "'addEventListener' called on an object that does not implement interface EventTarget."],
  ["Object.getOwnPropertyDescriptor(Event.prototype, 'type').get.call({})", 'Illegal invocation',
    "'get type' called on an object that does not implement interface Event."],
  ['AbortSignal.abort().throwIfAborted()', 'signal is aborted without reason', 'The operation was aborted. '],
  ["window.postMessage(1, 'foo')", "Failed to execute 'postMessage' on 'Window': Invalid target origin 'foo' in a call to 'postMessage'.",
    'An invalid or illegal string was specified'],
  ["new IntersectionObserver(() => {}, { threshold: 2 })", "Failed to construct 'IntersectionObserver': Threshold values must be numbers between 0 and 1", 'IntersectionObserver constructor: Threshold values must all be in the range [0, 1].'],
];
test('errors: the browsers\' words', () => {
  const chrome = open();
  const firefox = open('', { name: 'firefox', version: 153 });
  for (const [program, ofChrome, ofFirefox] of words) {
    assert.equal(chrome.thrown(program).replace(/^\w+: /, ''), ofChrome, program);
    assert.equal(firefox.thrown(program).replace(/^\w+: /, ''), ofFirefox, program);
  }
});
