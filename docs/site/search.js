// Search without a server: the index is a script, loaded when the field is first used.
(function () {
  const field = document.getElementById('search');
  const list = document.getElementById('found');
  let chosen = -1;

  function load() {
    if (window.searchIndex || document.getElementById('index')) return;
    const script = document.createElement('script');
    script.id = 'index';
    script.src = window.siteRoot + 'search-index.js';
    script.onload = show;
    document.head.appendChild(script);
  }

  // 0: no match. All words have to occur; names count more than text, beginnings more than middles.
  function score(entry, words) {
    const name = entry[0].toLowerCase();
    const text = entry[2].toLowerCase();
    const bare = name.replace(/^.*[.:]/, '');
    let sum = 0;
    for (const word of words) {
      if (name === word || bare === word) sum += 100;
      else if (name.startsWith(word) || bare.startsWith(word)) sum += 50 - Math.min(30, bare.length);
      else if (name.includes(word)) sum += 15;
      else if (text.includes(word)) sum += 3;
      else return 0;
    }
    return sum;
  }

  function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.replaceChildren();
    chosen = -1;
    list.hidden = words.length === 0 || !window.searchIndex;
    if (list.hidden) return;
    const found = window.searchIndex
      .map((entry, i) => [score(entry, words), i, entry])
      .filter((row) => row[0] > 0)
      .sort((a, b) => b[0] - a[0] || a[1] - b[1])
      .slice(0, 12);
    for (const [, , [name, where, about]] of found) {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = window.siteRoot + where;
      const title = document.createElement('b');
      title.textContent = name;
      const line = document.createElement('span');
      line.textContent = about;
      link.append(title, line);
      item.append(link);
      list.append(item);
    }
    if (found.length === 0) {
      const item = document.createElement('li');
      item.textContent = 'nothing found';
      list.append(item);
    }
  }

  function move(step) {
    const links = list.querySelectorAll('a');
    if (links.length === 0) return;
    chosen = (chosen + step + links.length) % links.length;
    links.forEach((link, i) => link.classList.toggle('chosen', i === chosen));
    links[chosen].scrollIntoView({ block: 'nearest' });
  }

  field.addEventListener('focus', load);
  field.addEventListener('input', () => { load(); show(); });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      const links = list.querySelectorAll('a');
      if (links.length > 0) {
        location.href = links[Math.max(chosen, 0)].href;
        list.hidden = true;
      }
    } else if (event.key === 'Escape') {
      field.value = '';
      show();
      field.blur();
    }
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    }
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.search')) list.hidden = true;
  });
  if (window.innerWidth < 800) document.getElementById('menu').open = false;
  const query = new URLSearchParams(location.search).get('q');
  if (query) {
    field.value = query;
    load();
    show();
  }
})();
