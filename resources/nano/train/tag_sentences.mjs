// SPDX-License-Identifier: Apache-2.0
// Questions about the sentences of the prepared prose, by part of speech: who, what, where, when, why, how many.
// Only sentences of a plain form are used; the answer is a part of the sentence, word for word.
//
//   npm install wink-nlp@2.4.0 wink-eng-lite-web-model@1.8.1      (both MIT)
//   node tag_sentences.mjs DATA/prose.jsonl DATA/wordnet.jsonl > DATA/asked.jsonl
//
// One line per sentence that yields any: {"s": sentence, "split": ..., "q": [[question, answer], ...]}.
import fs from 'node:fs';
import readline from 'node:readline';
import winkNLP from 'wink-nlp';
import model from 'wink-eng-lite-web-model';

const nlp = winkNLP(model, ['sbd', 'pos', 'ner']);
const { its } = nlp;
const BE = new Set(['is', 'are', 'was', 'were']);
const MODAL = new Set(['is', 'are', 'was', 'were', 'has', 'have', 'had', 'will', 'would', 'can', 'could', 'must', 'should', 'may', 'might', 'shall']);
const TIME = /\b(morning|evening|night|day|days|week|weeks|month|months|year|years|hour|hours|minute|minutes|noon|midnight|dawn|dusk|summer|winter|spring|autumn|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|o'clock|moment|time|century|breakfast|dinner|supper|lunch|1[5-9]\d\d|20\d\d)\b/i;
const PLACES = new Set(['in', 'at', 'on', 'near', 'behind', 'under', 'beside', 'above', 'inside', 'outside', 'into', 'through', 'across', 'to', 'from', 'between', 'over', 'around', 'upon']);
const TIMES = new Set(['in', 'at', 'on', 'during', 'after', 'before', 'until', 'since', 'for']);
const ABSTRACT = new Set('fact cases hindsight scratch default turn theory practice principle once last least first all order case way general particular addition question vain short silence turn that this it them him her me us which whom himself herself itself one other'.split(' '));
const PEOPLE = new Set('man woman boy girl king queen doctor captain child children mother father sister brother wife husband servant soldier sailor priest officer lady gentleman master boys girls men women people teacher driver friend uncle aunt son daughter prince princess farmer stranger engineer inspector user client developer programmer author guard thief visitor guest nurse cook clerk judge lawyer peasant workman captain groom coachman detective'.split(' '));
const PRONOUNS = new Set(['he', 'she', 'they', 'it', 'i', 'we', 'you']);

const noun = (p) => p === 'NOUN' || p === 'PROPN';
const joined = (tokens) => {
  let text = '';
  for (const t of tokens) text += t.space + t.word;
  return text.trim();
};

// The end of the noun phrase that starts at `i`, or -1. With `of`, also "the roof of the house".
function phrase(t, i, of = true) {
  let j = i;
  if (j < t.length && (t[j].pos === 'DET' || /^(my|his|her|its|our|their|your|no)$/i.test(t[j].word))) j++;
  while (j < t.length && (['ADJ', 'NUM', 'NOUN', 'PROPN'].includes(t[j].pos) || (t[j].word === '-' && !t[j].space))) j++;
  if (j === i || !(noun(t[j - 1].pos) || t[j - 1].pos === 'NUM')) return -1;
  if (of && j + 1 < t.length && t[j].word === 'of') {
    const more = phrase(t, j + 1, true);
    if (more > 0) return more;
  }
  return j;
}

function questions(sentence) {
  const opening = sentence.match(/^(And|But|Then|So|Now|However,|Also,|Thus,|Therefore,|Presently|Of course,|In fact,|For example,|Finally,|Sometimes|Usually|Well,|Yet|Still,|Otherwise,|Instead,|Soon|Meanwhile,|Perhaps|Suddenly) (?=[A-Za-z])/);
  const doc = nlp.readDoc(opening ? sentence.slice(opening[0].length).replace(/^./, (c) => c.toUpperCase()) : sentence);
  const t = [];
  doc.tokens().each((token) => t.push({ word: token.out(), pos: token.out(its.pos), lemma: token.out(its.lemma), space: token.out(its.precedingSpaces) }));
  if (!t.length || !/^[.!]$/.test(t[t.length - 1].word)) return [];
  t.pop();
  const out = [];
  let start = 0, front = null;
  if (t[0].pos === 'ADP') {                                  // "In the morning, ..."
    const end = phrase(t, 1);
    if (end > 0 && end < t.length && t[end].word === ',') { front = t.slice(0, end); start = end + 1; }
    else return [];
  }
  let end = PRONOUNS.has(t[start]?.word.toLowerCase()) ? start + 1 : phrase(t, start);
  if (end < 0 || end >= t.length) return [];
  const pronoun = end === start + 1 && PRONOUNS.has(t[start].word.toLowerCase());
  const subject = t.slice(start, end).map((x) => ({ ...x }));
  if (['this', 'that', 'these', 'those', 'there', 'such', 'no', 'another', 'some', 'both', 'each'].includes(subject[0].word.toLowerCase())) return [];
  if (subject[0].pos !== 'PROPN' && subject[0].word !== 'I' && !/^[A-Z]{2}/.test(subject[0].word)) subject[0].word = subject[0].word[0].toLowerCase() + subject[0].word.slice(1);
  subject[0].space = '';
  // the verb
  let v = end, aux = null, main;
  const first = t[v].word.toLowerCase();
  if (MODAL.has(first)) { aux = first; v++; if (t[v]?.word === 'not' || t[v]?.word === 'never') return []; }
  const copula = BE.has(first) && t[v] && t[v].pos !== 'VERB';
  if (!copula) {
    while (t[v] && t[v].pos === 'AUX') v++;
    if (t[v]?.pos === 'ADV' && t[v + 1]?.pos === 'VERB') v++;
    if (!t[v] || t[v].pos !== 'VERB') return [];
    v++;
  }
  const verb = t.slice(aux ? end + 1 : end, v);
  if (!aux) {
    if (verb.length !== 1) return [];
    const w = verb[0].word, lemma = verb[0].lemma;
    if (/ing$/.test(w)) return [];
    aux = w === lemma ? (subject.length === 1 && /^(he|she|it)$/i.test(subject[0].word) ? null : 'do') : /s$/.test(w) && !/ss$/.test(w) ? 'does' : 'did';
    if (!aux || (w === lemma && !/s$/.test(subject[subject.length - 1].word) && !['we', 'they', 'i', 'you'].includes(subject[0].word.toLowerCase()))) return [];
    main = [{ word: lemma, space: ' ' }];
  } else main = verb;
  // What comes after the first clause is left aside, unless it gives the reason.
  const whole = t.slice(v);
  const edge = whole.findIndex((x, n) => n >= 2 && (/^(which|who|when|while|if|as|where|until|unless|although|though|that|whose)$/.test(x.word) || /^[;:—]|--$/.test(x.word) ||
    (x.word === ',' && !(whole[n + 1]?.word === 'because')) || (/^(and|but|or)$/.test(x.word) && /^(PRON|VERB|AUX|ADV)$/.test(whole[n + 1]?.pos ?? ''))));
  const rest = edge > 0 ? whole.slice(0, edge) : whole;
  if (rest.length > 26) return [];
  const restText = joined(rest);
  if (/[;:"“”()]|--|—/.test(restText)) return [];
  // chunks of what follows: object, prepositional phrases, a clause of reason
  const chunks = [];
  let i = 0;
  const object = phrase(rest, 0);
  if (object > 0) { chunks.push({ kind: copula ? 'complement' : 'object', tokens: rest.slice(0, object) }); i = object; }
  else if (rest.length && PRONOUNS.has(rest[0].word) || /^(him|them|me|us)$/.test(rest[0]?.word ?? '')) { chunks.push({ kind: 'pronoun', tokens: rest.slice(0, 1) }); i = 1; }
  while (i < rest.length) {
    const word = rest[i].word.toLowerCase();
    if (word === 'because' || (word === ',' && rest[i + 1]?.word === 'because')) { chunks.push({ kind: 'reason', tokens: rest.slice(word === ',' ? i + 1 : i) }); i = rest.length; break; }
    if (rest[i].pos !== 'ADP') { chunks.push({ kind: 'other', tokens: rest.slice(i) }); i = rest.length; break; }
    const stop = phrase(rest, i + 1);
    if (stop < 0) { chunks.push({ kind: 'other', tokens: rest.slice(i) }); i = rest.length; break; }
    chunks.push({ kind: 'pp', tokens: rest.slice(i, stop) });
    i = stop;
  }
  const s = joined(subject);
  const ask = (word, without) => {
    const kept = chunks.filter((c) => c !== without && c.kind !== 'reason').flatMap((c) => c.tokens);
    return `${word} ${aux} ${s} ${joined([...main, ...kept])}?`.replace(/\s+/g, ' ').replace(' ?', '?').replace(/,\?$/, '?');
  };
  const said = (tokens) => joined(tokens).replace(/[,.]$/, '');
  const tail = chunks[chunks.length - 1];
  const clean = !/\b(which|who|that|whose|and|or|but|if|when|while|as)\b/.test(restText);
  const deictic = /\b(he|she|they|him|her|his|their|its|it|this|these|those|my|our|I|we|me|us|you|your)\b/.test(restText);
  if (!pronoun && rest.length >= 2 && !deictic && !/^(its|their|his|her)\b/.test(s)) {
    const head = subject[subject.length - 1];
    const of = subject.findIndex((x) => x.word === 'of');
    const key = (of > 0 ? subject[of - 1] : head).word.toLowerCase();
    const who = PEOPLE.has(key) || (subject[0].pos === 'PROPN' && /^(Mr|Mrs|Miss|Dr|Captain|Lady|Sir|Tom|Alice|Robin|Huck|Dorothy|Holmes|Watson|Passepartout|Fogg|Fix|Conseil|Ned|Curdie|Irene)/.test(subject[0].word));
    const plural = aux === 'do' || ['are', 'were', 'have'].includes(first);
    // A long predicate is asked for by its first part.
    const cut = rest.findIndex((x, n) => n >= 3 && (x.word === ',' || /^(which|that|because|if|when|while|so)$/.test(x.word)));
    const short = cut > 0 ? rest.slice(0, cut) : rest;
    const asked = joined([...t.slice(end, v), ...short]);
    if (!plural && short.length <= 12 && (who || Math.random() < 0.7)) out.push([`${who ? 'Who' : 'What'} ${asked}?`, s]);
  }
  if (front && rest.length) {
    const words = joined(front), last = front[front.length - 1].word.toLowerCase(), p = front[0].word.toLowerCase();
    if (!ABSTRACT.has(last)) {
      if (TIME.test(words) && TIMES.has(p)) out.push([ask('When', null), words.toLowerCase()]);
      else if (PLACES.has(p) && !['to', 'from', 'through', 'over'].includes(p)) out.push([ask('Where', null), words[0].toLowerCase() + words.slice(1)]);
    }
  }
  if (tail && clean) {
    const words = said(tail.tokens), last = tail.tokens[tail.tokens.length - 1].word.toLowerCase(), p = tail.tokens[0].word.toLowerCase();
    if (tail.kind === 'pp' && !ABSTRACT.has(last) && chunks.length <= 3) {
      if (p === 'for' && TIME.test(words)) out.push([ask('How long', tail), words]);
      else if (TIME.test(words) && TIMES.has(p)) out.push([ask('When', tail), words]);
      else if (p === 'by' && BE.has(first)) out.push([ask(PEOPLE.has(last) ? 'By whom' : 'By what', tail), words]);
      else if (p === 'with') out.push([ask('With what', tail).replace('With what', PEOPLE.has(last) ? 'With whom' : 'With what'), words]);
      else if (PLACES.has(p) && (chunks.length > 1 || !copula || BE.has(first))) out.push([ask('Where', tail), words]);
    }
  }
  if (tail && tail.kind === 'reason') out.push([ask('Why', tail), said(tail.tokens)]);
  const what = chunks[0];
  if (what && what.kind === 'object' && !copula && clean && (main.length > 0)) {
    const text = said(what.tokens), number = what.tokens.findIndex((x) => x.pos === 'NUM');
    if (number === 0 && what.tokens.length > 1 && !what.tokens.some((x) => x.word === 'of')) {
      const counted = joined(what.tokens.slice(1));
      out.push([ask(`How many ${counted}`, what), text]);
    } else if (!/^(it|itself|himself|herself)$/.test(text)) {
      const last = what.tokens[what.tokens.length - 1].word;
      out.push([ask(PEOPLE.has(last) || /^(Mr|Mrs|Miss)/.test(text) ? 'Whom' : 'What', what).replace(/^Whom/, Math.random() < 0.5 ? 'Who' : 'Whom'), text]);
    }
  }
  if (copula && what && what.kind === 'complement' && !pronoun && clean && chunks.length === 1) out.push([`What ${first} ${s}?`, said(what.tokens)]);
  return out.map(([q, a]) => [q.replace(/[ ,]+\?$/, '?'), a]).filter(([q, a]) => q.length < 170 && a.length > 1 && a.length < 90 && !q.includes(' ,') && !/[“”"()]/.test(q));
}

async function main() {
  const [prose, wordnet] = process.argv.slice(2);
  const seen = new Set();
  const emit = (sentence, split) => {
    if (sentence.length < 28 || sentence.length > 230 || seen.has(sentence)) return;
    seen.add(sentence);
    const q = questions(sentence);
    if (q.length) process.stdout.write(JSON.stringify({ s: sentence, split, q }) + '\n');
  };
  for await (const line of readline.createInterface({ input: fs.createReadStream(prose) })) {
    const d = JSON.parse(line);
    if (d.source.startsWith('wordnet')) continue;
    for (const p of d.paragraphs) for (const s of p) emit(s, d.split);
  }
  for await (const line of readline.createInterface({ input: fs.createReadStream(wordnet) })) {
    const d = JSON.parse(line);
    for (const e of d.examples) if (e.length > 27 && e.split(' ').length > 5) { const s = e[0].toUpperCase() + e.slice(1).replace(/[.;, ]+$/, ''); emit(/[?!]$/.test(s) ? s : s + '.', d.split); }
  }
}

await main();
