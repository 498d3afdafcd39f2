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

  function show() {
    list.replaceChildren();
    chosen = -1;
    list.hidden = !field.value.trim() || !window.searchIndex;
    if (list.hidden) return;
    const found = window.rankSearch(window.searchIndex, field.value);
    for (const [name, where, about] of found) {
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
