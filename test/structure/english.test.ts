import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';

/** Turns of phrase that no native engineer uses, each of which has stood in a message. */
const lost: readonly RegExp[] = [
  /(?<!\bthere )\b(?:is|are) none\b(?! left| at all| here| there|:)/,
  /(?<!\b(?:there|where|which|that) )\b(?:is|are) no (?!longer|more|such|known|later|other|less|need|one\b)[a-z]+ (?:of|for|to)\b/i,
  /\b(?:was|were) told\b|\btold (?:from|by)\b/,
  /\bmended\b/,
  /\bpass(?:es|ed)? over such\b/,
  /\bhas not the\b/,
  /\bwhere they are asked\b/,
  /\bin its one form\b/,
  /\bthere is no an? /,
  /\btells more\b/,
  /\bwhich is no endpoint\b|\bthat is no endpoint\b/,
  /(?<!\b[Tt]here )\bis no (?:address|finding|member|report|error)\b/,
];

/** A rule for comments, and a comment that breaks it. */
interface CommentRule {
  readonly about: string;
  readonly phrase: RegExp;
  readonly example: string;
}

/** What makes a comment read as translated: relative clauses without a noun, inversions, words that are no longer used. */
const commentRules: readonly CommentRule[] = [
  {
    about: 'who without a noun before it',
    phrase:
      /\b(?:for|of|to|by|than|but|with) who\b|(?:^|[.;] )Who (?:asks|reads|writes|has|wants|compares|waits|gives)\b/,
    example: 'The same, for who keeps what it makes of the rules.',
  },
  { about: 'whoever', phrase: /\bwho(?:so)?ever\b/i, example: 'Whoever walks packets knows neither syntax.' },
  { about: 'a person where there is none', phrase: /\b(?:he|him|his|himself)\b/i, example: 'He keeps the rules.' },
  { about: 'is to be done', phrase: /\b(?:is|are) to be\b/, example: 'Objects that are to be compared.' },
  {
    about: 'told of, said of',
    phrase: /\b(?:told|tells?|said|says?) of\b/,
    example: 'What the rules say of a Service.',
  },
  { about: 'whom', phrase: /\b(?:of|to|for|by) whom\b/, example: 'The sender, of whom no object exists.' },
  { about: 'hardly', phrase: /\bhardly\b/, example: 'It hardly ever happens.' },
  {
    about: 'else for otherwise',
    phrase: /[,;] (?:or )?else(?! if)\b|\. Else\b/,
    example: 'The name; else the address.',
  },
  {
    about: 'an inversion',
    phrase: /(?:^|[.;:] )(?:Not|So|Likewise)(?: [a-z]+ed)? (?:is|are|was|were|does|do|has|have) /,
    example: 'Not asked is what the table lacks.',
  },
  { about: 'be it', phrase: /, be (?:it|they)\b/, example: 'A range, be it a single address.' },
  {
    about: 'a word of old books',
    phrase: /\b(?:therein|thereof|thereby|hereby|wherein|whereof|yonder|whence|anew|afresh|upon)\b/i,
    example: 'The table is made anew.',
  },
  { about: 'one form too few', phrase: /\b(?:is|are) so[.,;]/, example: 'The kernel says that it is so.' },
  { about: 'without a noun: for where', phrase: /\bfor where\b/, example: 'Cheaper, for where there are very many.' },
  { about: 'nobody knows of', phrase: /\bknows? nothing of\b/, example: 'The node knows nothing of it.' },
  {
    about: 'so that, twice',
    phrase: /\bso that\b.*\bso that\b/,
    example: 'Sorted, so that it is quick, so that nobody waits.',
  },
];

/** Words of a sentence beyond which nobody remembers how it began. */
const longest = 40;

/** Comments of a source, each as one line, with the number of its first line. */
function* comments(text: string): Iterable<{ readonly line: number; readonly words: string }> {
  let open: { line: number; words: string[] } | undefined;
  for (const [at, line] of text.split('\n').entries()) {
    const [, words] =
      /^\s*(?:\/\*\*?|\*\/?|\/\/)(?: |$)(.*?)(?:\*\/)?$/.exec(line) ?? /[;,{(] \/\/ (.*)$/.exec(line) ?? [];
    if (words !== undefined) open ??= { line: at + 1, words: [] };
    if (words !== undefined) open?.words.push(words.trim());
    const isEnd = words === undefined || /\*\/\s*$/.test(line);
    if (isEnd && open !== undefined) yield { line: open.line, words: open.words.filter(Boolean).join(' ') };
    if (isEnd) open = undefined;
  }
}

/** What is wrong with a comment; quoted text and code are not ours. */
function faultsOf(comment: string): readonly string[] {
  const words = comment.replaceAll(/`[^`]*`|"[^"]*"/g, 'X');
  const found = commentRules.filter(({ phrase }) => phrase.test(words)).map(({ about }) => about);
  if (lost.some((phrase) => phrase.test(words))) found.push('a phrase that was lost');
  const isLong = words.split(/[.:;?](?:\s|$)/).some((sentence) => sentence.trim().split(/\s+/).length > longest);
  return isLong ? [...found, `a sentence of more than ${longest} words`] : found;
}

/** Literals of a source, those of regular expressions and comments left out. */
function* literals(text: string): Iterable<string> {
  for (const line of text.split('\n')) {
    if (/^\s*(?:\*|\/\/|\/\*)/.test(line)) continue;
    for (const [, single, back, double] of line.matchAll(
      /'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)"/g,
    )) {
      yield single ?? back ?? double ?? '';
    }
  }
}

function* sources(folder: string): Iterable<readonly [file: string, text: string]> {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:ts|tsx|mjs)$/.test(entry.name) || entry.name.includes('.generated.')) continue;
    const path = join(entry.parentPath, entry.name);
    yield [path.slice(root.length), readFileSync(path, 'utf8')];
  }
}

it('no message has a phrase that was lost', () => {
  const found: string[] = [];
  for (const [file, text] of sources('src')) {
    for (const literal of literals(text)) {
      if (lost.some((phrase) => phrase.test(literal))) found.push(`${file}: ${literal}`);
    }
  }
  assert.deepEqual(found, []);
});

describe('comments', () => {
  for (const folder of ['src', 'scripts', 'bench']) {
    it(folder, () => {
      const found: string[] = [];
      for (const [file, text] of sources(folder)) {
        for (const { line, words } of comments(text)) {
          for (const fault of faultsOf(words)) found.push(`${file}:${line}: ${fault}: ${words}`);
        }
      }
      assert.deepEqual(found, []);
    });
  }

  it('each rule finds its example', () => {
    for (const { about, example } of commentRules) assert.deepEqual(faultsOf(example), [about]);
    assert.deepEqual(faultsOf(`${'word '.repeat(longest)}end.`), ['a sentence of more than 40 words']);
    assert.deepEqual(faultsOf('A dump is mended.'), ['a phrase that was lost']);
    assert.deepEqual(faultsOf('Reads `so that` and "whoever".'), []);
  });

  it('comments of every form are read', () => {
    const text = [
      '/** One. */',
      'const a = [',
      '  1, // Two.',
      '];',
      '/**',
      ' * Three',
      ' * goes on.',
      ' */',
      '// Four',
      '// too.',
      "const url = 'https://a.b//c';",
    ].join('\n');
    assert.deepEqual(
      [...comments(text)],
      [
        { line: 1, words: 'One.' },
        { line: 3, words: 'Two.' },
        { line: 5, words: 'Three goes on.' },
        { line: 9, words: 'Four too.' },
      ],
    );
  });
});
