// What a question means: the entries of the search's index in the order of how well they answer it.
//
// An entry is [name, where, line about it, other names, words of its text]. No word has to occur: a rare
// word that does counts more than a frequent one, a word of the name more than one of the text.
(function (home) {
  // Words that questions have and answers need not have.
  const idle = new Set(('a an and are as at be by can do does for from how i in into is it me my of on or out'
    + ' the there to use using want what when where which with without').split(' '));

  // American and British spellings as one.
  function spelled(word) {
    return word.replace(/is(e|ed|ers?|es|ing|ations?)$/, 'iz$1').replace(/^grey/, 'gray')
      .replace(/our(s|ed|ing)?$/, 'or$1').replace(/([^aeiou])re$/, '$1er').replace(/logue$/, 'log');
  }

  // A word without its ending: initialise, initializing and initialisation are all initializ.
  function stem(word) {
    if (word.length < 4 || /\d/.test(word)) return word;
    word = spelled(word);
    const bare = word.replace(/(ations?|ings?|ers?|ed|es|s|e)$/, '');
    word = bare.length >= 3 ? bare : word;
    return word.replace(/([^aeiouls])\1$/, '$1').replace(/ll$/, 'l').replace(/([^aeiou])(y|ie?)$/, '$1i');
  }

  // clipGradNorm, clip_grad_norm_ -> clip, grad, norm
  function parts(word) {
    return word.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase().split(/[^\p{L}\d]+/u).filter(Boolean);
  }

  // no_grad, noGrad -> nograd
  function whole(word) {
    return spelled(word.toLowerCase().replace(/[^\p{L}\d]+/gu, ''));
  }

  function stems(text) {
    return new Set(parts(text).map(stem));
  }

  function prepared(entry) {
    const [name, where, about, others = '', text = ''] = entry;
    const names = name.split(/[\s,()'"`]+/).filter(Boolean);
    return {
      entry,
      names: new Set(names.flatMap((word) => [whole(word), whole(word.replace(/^.*[.:](?=.)/, ''))])),
      inName: [...stems(name)],
      inOthers: new Set([...stems(others), ...others.split(' ').filter(Boolean).map(whole)]),
      inLine: stems(about),
      inText: stems(text),
      weight: /^(architecture|compat|repository\/(?!examples\/))/.test(where) ? 0.6 : /^reference\/cuda\//.test(where) ? 0.8 : 1,
    };
  }

  // From 0 to 1: how well an entry has a part of a question's word.
  function partMatch(it, part) {
    let best = 0;
    for (const word of it.inName) {
      if (word === part) return 0.8;
      if (part.length >= 3 && word.startsWith(part)) best = Math.max(best, 0.5);
      else if (part.length >= 4 && word.includes(part)) best = Math.max(best, 0.35);
    }
    if (it.inOthers.has(part)) return 0.75;
    if (it.inLine.has(part)) return Math.max(best, 0.35);
    return it.inText.has(part) ? Math.max(best, 0.2) : best;
  }

  function match(it, word) {
    if (it.names.has(word.whole)) return 1;
    if (it.inOthers.has(word.whole)) return 0.95;
    let sum = 0;
    for (const part of word.parts) sum += partMatch(it, part);
    const found = sum / word.parts.length;
    if (found > 0) return found;
    for (const name of word.whole.length >= 3 ? it.names : []) { // while it is being typed
      if (name.startsWith(word.whole)) return 0.5;
    }
    return 0;
  }

  const known = new WeakMap(); // index -> its entries, prepared

  home.rankSearch = function (index, question, limit = 12) {
    if (!known.has(index)) known.set(index, index.map(prepared));
    const all = question.split(/\s+/).filter((word) => whole(word));
    const telling = all.filter((word) => !idle.has(word.toLowerCase()));
    const words = (telling.length > 0 ? telling : all)
      .map((word) => ({ whole: whole(word), parts: parts(word).map(stem), seen: 0 }));
    const rows = [];
    for (const it of known.get(index)) {
      const matches = words.map((word) => match(it, word));
      matches.forEach((value, i) => { if (value > 0) words[i].seen += 1; });
      if (matches.some((value) => value > 0)) rows.push({ it, matches, at: rows.length });
    }
    const total = known.get(index).length;
    for (const word of words) word.rarity = Math.log(1 + total / (1 + word.seen));
    const possible = words.reduce((sum, word) => sum + (word.seen > 0 ? word.rarity : 0), 0);
    for (const row of rows) {
      let sum = 0;
      let got = 0;
      row.matches.forEach((value, i) => {
        sum += value * words[i].rarity;
        got += value > 0 ? words[i].rarity : 0;
      });
      // Long names have more words to be found by chance.
      const brief = 1 / (1 + 0.04 * row.it.inName.length);
      row.score = sum * (got / possible) * brief * row.it.weight;
    }
    rows.sort((a, b) => b.score - a.score || a.at - b.at);
    const found = [];
    const shown = new Set();
    for (const { it: { entry } } of rows) {
      const one = entry[1] + ' ' + entry[0].replace(/^.*[.:](?=\w+$)/, ''); // torch.sum and Tensor:sum
      if (!shown.has(one)) found.push(entry);
      shown.add(one);
      if (found.length === limit) break;
    }
    return found;
  };
})(typeof window === 'undefined' ? globalThis : window);
