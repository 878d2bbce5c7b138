// Folds all migrations/*.sql into one baseline, and proves that both make the same database.
// Run in the root of a clone, with Node 24:
//   node tools/write-baseline.mjs           writes 0001_baseline.sql in the folder for temporary files and compares the two databases
//   node tools/write-baseline.mjs --apply   also replaces the files of migrations/, if there is no difference
// A migration that it cannot fold makes it fail with the statement; add a rule below.
import { mkdtemp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
const root = process.cwd();
const load = (file) => import(pathToFileURL(path.join(root, file)).href);
const { tables: ownership } = await load('src/tables/tables.ts');
const target = path.join(tmpdir(), '0001_baseline.sql');

/** Splits SQL at a separator outside of comments, strings, dollar quotes and parentheses. */
function split(sql, separator) {
  const parts = [];
  let [start, depth, at] = [0, 0, 0];
  while (at < sql.length) {
    const rest = sql.slice(at);
    const skipped = /^(?:--[^\n]*|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1)/.exec(rest);
    if (skipped) {
      at += skipped[0].length;
      continue;
    }
    if (sql[at] === '(') depth += 1;
    if (sql[at] === ')') depth -= 1;
    if (sql[at] === separator && depth === 0) {
      parts.push(sql.slice(start, at));
      start = at + 1;
    }
    at += 1;
  }
  parts.push(sql.slice(start));
  return parts.map(separateComment).filter(({ text }) => text !== '');
}
function separateComment(part) {
  const match = /^((?:\s*--[^\n]*\n|\s+)*)([\s\S]*?)\s*$/.exec(part);
  const groups = match[1]
    .split(/\n\s*\n/)
    .map((group) =>
      group
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line.startsWith('--')),
    )
    .filter((lines) => lines.length);
  // A comment above a blank line is about the migration, and decisions have other files now.
  const isApart = /\n\s*\n\s*$/.test(match[1]);
  const comment = (isApart ? [] : (groups.at(-1) ?? []))
    .join('\n')
    .replace(/\s+\((?:--|\s)*docs\/decisions\/\d{4}[^)]*\)/g, '');
  return { comment: comment === '' ? [] : comment.split('\n'), text: match[2] };
}
/** The end of the parenthesis that opens at `from`. */
function closing(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const quoted = /^'(?:[^']|'')*'/.exec(text.slice(at));
    if (quoted) {
      at += quoted[0].length - 1;
      continue;
    }
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && --depth === 0) return at + 1;
  }
  throw new Error(`no closing parenthesis: ${text}`);
}

const tables = new Map(); // name → { comment, items, indexes, after, unlogged }
const [types, functions, views, triggers] = [new Map(), new Map(), new Map(), new Map()];
const [grants, calls, inserts] = [[], [], []];
const isConstraint = (text) => /^(constraint|primary key|unique|check|foreign key|exclude)\b/i.test(text);
const nameOf = (text) => /^"?(\w+)/.exec(text)[1];

function toItem({ comment, text }) {
  return { comment, text, name: isConstraint(text) ? undefined : nameOf(text) };
}
function findColumn(table, name) {
  const item = tables.get(table).items.find((each) => each.name === name);
  if (!item) throw new Error(`${table} has no column ${name}`);
  return item;
}
const typePattern =
  /^("?\w+"?\s+)([\s\S]*?)(?=\s+(?:not null|null|default|check|references|primary key|unique|generated|constraint|collate)\b|$)/i;

function dropConstraint(table, name) {
  const { items } = tables.get(table);
  const explicit = items.findIndex(({ text }) => new RegExp(`^constraint ${name}\\b`, 'i').test(text));
  if (explicit >= 0) return void items.splice(explicit, 1);
  const columnsOf = (text) =>
    /\(([^)]*)\)/
      .exec(text)[1]
      .split(',')
      .map((each) => each.trim());
  const remove = (item, pattern, balanced) => {
    const match = pattern.exec(item.text);
    let end = match.index + match[0].length;
    if (balanced) end = closing(item.text, item.text.indexOf('(', match.index));
    item.text = (item.text.slice(0, match.index) + item.text.slice(end)).trim();
  };
  for (const item of items) {
    const [text] = [item.text];
    if (item.name === undefined) {
      if (name === `${table}_pkey` && /^primary key/i.test(text))
        return void items.splice(items.indexOf(item), 1);
      if (/^unique/i.test(text) && name === `${table}_${columnsOf(text).join('_')}_key`)
        return void items.splice(items.indexOf(item), 1);
      if (/^foreign key/i.test(text) && name === `${table}_${columnsOf(text).join('_')}_fkey`)
        return void items.splice(items.indexOf(item), 1);
      continue;
    }
    if (name === `${table}_pkey` && /\bprimary key\b/i.test(text))
      return remove(item, /\s*\bprimary key\b/i, false);
    if (name === `${table}_${item.name}_check` && /\bcheck\s*\(/i.test(text))
      return remove(item, /\s*\bcheck\s*\(/i, true);
    if (name === `${table}_${item.name}_key` && /\bunique\b/i.test(text))
      return remove(item, /\s*\bunique\b/i, false);
    if (name === `${table}_${item.name}_fkey` && /\breferences\b/i.test(text))
      return remove(
        item,
        /\s*\breferences \w+(?: \(\w+\))?(?: on delete (?:cascade|restrict|set null))?(?: deferrable initially deferred)?/i,
        false,
      );
  }
  throw new Error(`cannot find the constraint ${name} of ${table}`);
}

function alterTable(table, { comment, text }) {
  const entry = tables.get(table);
  const [, add] = /^add (?:column )?(?:if not exists )?([\s\S]*)$/i.exec(text) ?? [];
  if (add !== undefined) {
    const item = toItem({ comment, text: add });
    entry.items.push(item);
    // A check of two columns is named after the table, in the order in which the checks were added.
    const at = item.name === undefined ? -1 : item.text.search(/\s*\bcheck\s*\(/i);
    if (at < 0) return;
    const end = closing(item.text, item.text.indexOf('(', at));
    const check = item.text.slice(at, end).trim();
    const words = new Set(check.replace(/'[^']*'/g, '').match(/\w+/g));
    if (!entry.items.some(({ name }) => name !== undefined && name !== item.name && words.has(name))) return;
    item.text = item.text.slice(0, at) + item.text.slice(end);
    entry.items.push({ comment: [], text: check, name: undefined });
    return;
  }
  const [, constraint] = /^drop constraint (?:if exists )?(\w+)/i.exec(text) ?? [];
  if (constraint) return dropConstraint(table, constraint);
  const [, column] = /^drop column (?:if exists )?(\w+)/i.exec(text) ?? [];
  if (column) {
    const mentions = (each) => new RegExp(`\\b${column}\\b`).test(each.replace(/'[^']*'/g, ''));
    entry.items = entry.items.filter(
      (item) => item.name !== column && !(item.name === undefined && mentions(item.text)),
    );
    entry.indexes = entry.indexes.filter((index) => !mentions(index.text));
    return;
  }
  const [, changed, change] = /^alter column (\w+) ([\s\S]*)$/i.exec(text) ?? [];
  if (changed) {
    const item = findColumn(table, changed);
    if (comment.length) item.comment = comment;
    const [, type] = /^type ([\s\S]*?)(?: using [\s\S]*)?$/i.exec(change) ?? [];
    const [, value] = /^set default ([\s\S]*)$/i.exec(change) ?? [];
    if (type) item.text = item.text.replace(typePattern, (_, name) => name + type);
    else if (/^set not null$/i.test(change)) {
      if (!/\bnot null\b|\bprimary key\b/i.test(item.text))
        item.text = item.text.replace(typePattern, (all) => `${all} not null`);
    } else if (/^drop not null$/i.test(change)) item.text = item.text.replace(/ not null/i, '');
    else if (/^drop default$/i.test(change)) item.text = item.text.replace(/ default \S+/i, '');
    else if (value)
      item.text = / default \S+/i.test(item.text)
        ? item.text.replace(/ default \S+/i, ` default ${value}`)
        : `${item.text} default ${value}`;
    else if (/^set (storage|statistics|compression)\b/i.test(change))
      entry.after.push({ comment, text: `alter table ${table} alter column ${changed} ${change}` });
    else throw new Error(`unknown change: ${text}`);
    return;
  }
  if (/^set \(/i.test(text)) return void entry.after.push({ comment, text: `alter table ${table} ${text}` });
  throw new Error(`unknown alter table: ${text}`);
}

/** Comments that say what a migration changed, which the baseline must not say. */
const stale = [/^-- As before/, /^-- The functions below do what they did before/];

/** A later version of an object keeps the comment of the earlier one, unless it has a better one. */
function put(map, key, statement, more = {}) {
  const before = map.get(key);
  const comment =
    statement.comment.length === 0 || stale.some((pattern) => pattern.test(statement.comment[0]))
      ? (before?.comment ?? statement.comment)
      : statement.comment;
  map.set(key, { ...more, key, comment, text: statement.text });
}

function fold(statement) {
  const { text, comment } = statement;
  let m;
  if ((m = /^create (unlogged )?table (\w+)\s*\(/i.exec(text))) {
    const open = text.indexOf('(');
    const end = closing(
      text.replace(/--[^\n]*/g, (c) => ' '.repeat(c.length)),
      open,
    );
    tables.set(m[2], {
      name: m[2],
      unlogged: Boolean(m[1]),
      comment,
      items: split(text.slice(open + 1, end - 1), ',').map(toItem),
      options: text.slice(end).trim(),
      indexes: [],
      after: [],
    });
  } else if ((m = /^alter table (?:only )?(\w+)\s+([\s\S]*)$/i.exec(text))) {
    const actions = split(m[2], ',');
    // The columns of `add check (…)` are split at parentheses only, so actions are whole.
    actions.forEach((action, index) =>
      alterTable(m[1], {
        comment: action.comment.length ? action.comment : index === 0 ? comment : [],
        text: action.text,
      }),
    );
  } else if ((m = /^create (?:unique )?index (?:concurrently )?(\w+)\s+on (\w+)/i.exec(text)))
    tables.get(m[2]).indexes.push({ name: m[1], comment, text });
  else if ((m = /^drop index (?:if exists )?(\w+)/i.exec(text)))
    for (const table of tables.values()) table.indexes = table.indexes.filter(({ name }) => name !== m[1]);
  else if ((m = /^drop table (?:if exists )?(\w+)/i.exec(text))) {
    tables.delete(m[1]);
    for (const [key, trigger] of triggers) if (trigger.table === m[1]) triggers.delete(key);
  } else if ((m = /^create type (\w+)/i.exec(text))) put(types, m[1], statement);
  else if ((m = /^create (?:or replace )?function (\w+)/i.exec(text)))
    put(functions, m[1], { comment, text: text.replace(/^create or replace/i, 'create') });
  else if ((m = /^drop function (?:if exists )?(\w+)/i.exec(text))) functions.delete(m[1]);
  else if ((m = /^create (?:or replace )?view (\w+)/i.exec(text)))
    put(views, m[1], { comment, text: text.replace(/^create or replace/i, 'create') });
  else if ((m = /^drop view (?:if exists )?(\w+)/i.exec(text))) views.delete(m[1]);
  else if (
    (m =
      /^create (?:or replace )?(?:constraint )?trigger (\w+)[\s\S]*?\son (\w+)[\s\S]*execute function (\w+)/i.exec(
        text,
      ))
  )
    put(triggers, `${m[1]} on ${m[2]}`, statement, { table: m[2], runs: m[3] });
  else if ((m = /^drop trigger (?:if exists )?(\w+) on (\w+)/i.exec(text)))
    triggers.delete(`${m[1]} on ${m[2]}`);
  else if (/^(grant|revoke)\b/i.test(text)) grants.push(statement);
  else if ((m = /^select (\w+)\(\)$/i.exec(text))) {
    const index = calls.findIndex((call) => call.text === text);
    if (index >= 0) calls.splice(index, 1);
    calls.push(statement);
  } else if ((m = /^insert into (\w+)/i.exec(text))) inserts.push({ ...statement, table: m[1] });
  else if (/^(update|delete from|analyze|with|drop schema if exists pgboss)\b/i.test(text)) {
    /* Changes rows, and an empty database has none. */
  } else throw new Error(`no rule for: ${text.slice(0, 200)}`);
}

const migrations = new URL(`${pathToFileURL(root).href}/migrations/`);
const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort();
for (const name of names) {
  const statements = split(await readFile(new URL(name, migrations), 'utf8'), ';');
  // The comment at the head of a file is about the migration, unless the first statement follows it at once.
  for (const statement of statements)
    try {
      fold(statement);
    } catch (error) {
      error.message = `${name}: ${error.message}`;
      throw error;
    }
}

const modules = Object.entries(ownership);
const ownerOf = (list, name) => modules.find(([, each]) => each[list]?.includes(name))?.[0] ?? 'platform';

function render(seeded) {
  const lines = [
    '-- The schema at the first release, module by module in the order of src/tables/tables.ts.',
    '-- A later change is a migration of its own; this file never changes.',
  ];
  const emit = ({ comment = [], text }, gap = true) => {
    if (gap) lines.push('');
    lines.push(...comment, `${text};`);
  };
  const [doneTables, doneTypes] = [new Set(), new Set()];
  const late = [];
  const emitTable = (name, path_ = []) => {
    if (doneTables.has(name) || !tables.has(name)) return;
    const table = tables.get(name);
    for (const item of table.items)
      for (const [, other] of item.text.matchAll(/\breferences (\w+)/gi))
        if (other !== name && !doneTables.has(other)) {
          if (path_.includes(other))
            throw new Error(`circle of references: ${[...path_, name, other].join(' ')}`);
          emitTable(other, [...path_, name]);
        }
    doneTables.add(name);
    for (const [type, statement] of types)
      if (
        !doneTypes.has(type) &&
        table.items.some(({ text }) => new RegExp(`\\b${type}\\b`).test(text.replace(/^\w+/, '')))
      ) {
        doneTypes.add(type);
        emit(statement);
      }
    const indent = (comment) => comment.map((line) => `  ${line}\n`).join('');
    const columns = [
      ...table.items.filter((i) => i.name !== undefined),
      ...table.items.filter((i) => i.name === undefined),
    ];
    const body = columns
      .map(
        (item, index) =>
          `${indent(item.comment)}  ${item.text.replace(/\n\s*/g, '\n    ')}${index < columns.length - 1 ? ',' : ''}`,
      )
      .join('\n');
    emit({
      comment: table.comment,
      text: `create ${table.unlogged ? 'unlogged ' : ''}table ${name} (\n${body}\n)${table.options ? ` ${table.options}` : ''}`,
    });
    for (const statement of [...table.indexes, ...table.after]) emit(statement, false);
  };
  for (const [module, each] of modules) {
    const before = lines.length;
    lines.push('', '', `-- ${module}`);
    const start = lines.length;
    for (const name of each.owns ?? []) emitTable(name);
    const own = (map, list) => [...map.values()].filter(({ key }) => ownerOf(list, key) === module);
    const ownFunctions = own(functions, 'functions');
    const isSql = ({ text }) => /\blanguage sql\b/i.test(text);
    for (const statement of ownFunctions.filter((f) => !isSql(f))) emit(statement);
    const ownViews = own(views, 'publishes');
    while (ownViews.length) {
      const index = ownViews.findIndex(
        (view) =>
          !ownViews.some((other) => other !== view && new RegExp(`\\b${other.key}\\b`).test(view.text)),
      );
      emit(ownViews.splice(Math.max(index, 0), 1)[0]);
    }
    for (const statement of ownFunctions.filter(isSql)) emit(statement);
    const ownTriggers = [...triggers.values()].filter(
      ({ table, runs }) =>
        (ownerOf('functions', runs) === 'platform' ? ownerOf('owns', table) : ownerOf('functions', runs)) ===
        module,
    );
    if (ownTriggers.length) {
      lines.push('');
      for (const statement of ownTriggers) emit(statement, false);
    }
    const ownInserts = inserts.filter(({ table }) => seeded.has(table) && ownerOf('owns', table) === module);
    for (const statement of ownInserts) emit(statement);
    if (lines.length === start) lines.splice(before);
  }
  lines.push('', '', '-- Rights');
  for (const statement of [...grants, ...calls]) emit(statement, statement.comment.length > 0);
  const missing = [...tables.keys()].filter((name) => !doneTables.has(name));
  if (missing.length) throw new Error(`no module owns ${missing.join(', ')}`);
  return `${lines.join('\n')}\n`;
}

// Two databases of one server.
const require = createRequire(path.join(root, 'package.json'));
const pg = require('pg');
const { startEmbeddedPostgres } = await import(
  require.resolve(
    await find(['src/platform/database/embedded-postgres.ts', 'src/platform/embedded-postgres/index.ts']),
  )
);
const { migrateDatabase } = await load('src/platform/database/migrate.ts');
const { owner_role, prepareRoles } = await load('src/platform/database/roles.ts');
async function find(files) {
  const { existsSync } = await import('node:fs');
  const file = files.find((each) => existsSync(path.join(root, each)));
  if (!file) throw new Error(`none of ${files.join(', ')} exists`);
  return path.join(root, file);
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'tessera-baseline-'));
const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
try {
  const use = async (database, work) => {
    const client = new pg.Client({ ...server.connection, database });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const create = async (database, folder) => {
    await use(server.connection.database, (client) => client.query(`create database ${database}`));
    const settings = { ...server.connection, database };
    await prepareRoles(settings);
    await migrateDatabase({ ...settings, user: owner_role }, folder);
  };
  await create('folded_from', migrations);
  const filled = await use('folded_from', async (client) => {
    const found = new Set();
    for (const name of tables.keys())
      if ((await client.query(`select from ${name} limit 1`)).rowCount) found.add(name);
    return found;
  });
  console.log(`tables with rows in an empty database: ${[...filled].join(', ') || 'none'}`);
  await writeFile(target, render(filled));
  const folder = path.join(dataDir, 'baseline');
  await mkdir(folder);
  await writeFile(path.join(folder, '0001_baseline.sql'), await readFile(target));
  await create('baseline', pathToFileURL(`${folder}/`));
  const [before, after] = [await use('folded_from', describe), await use('baseline', describe)];
  const [lost, added] = [
    before.filter((line) => !after.includes(line)),
    after.filter((line) => !before.includes(line)),
  ];
  for (const line of lost) console.log(`- ${line}`);
  for (const line of added) console.log(`+ ${line}`);
  console.log(
    `${before.length} facts of the catalog compared, ${lost.length + added.length} differences; ${names.length} files became ${(await readFile(target, 'utf8')).split('\n').length} lines in ${target}`,
  );
  if (lost.length + added.length > 0) process.exitCode = 1;
  else if (process.argv.includes('--apply')) {
    for (const name of names) await rm(new URL(name, migrations));
    await writeFile(new URL('0001_baseline.sql', migrations), await readFile(target));
    // It tests an upgrade over migrations that no longer exist.
    await rm(path.join(root, 'src/platform/security/key-migrations.test.ts'), { force: true });
    console.log('migrations/ now has 0001_baseline.sql alone');
  }
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Everything that the catalogs say about a database, one fact a line. */
async function describe(client) {
  const acl = (column) =>
    `coalesce((select string_agg(each::text, ' ' order by each::text) from unnest(${column}) as each), '')`;
  const ours = `relnamespace = 'public'::regnamespace and relname not in ('migrations', 'migrations_pkey')`;
  const queries = {
    relation: `select relname, relkind, relpersistence, reloptions, relrowsecurity, relreplident, pg_get_userbyid(relowner), ${acl('relacl')} from pg_class where ${ours} and relkind <> 'i' and relkind <> 't'`,
    column: `select relname, row_number() over (partition by relname order by attnum), attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attidentity, attgenerated, attstorage, attcompression, attstattarget, attcollation::regcollation, attoptions, ${acl('attacl')}
      from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum where ${ours} and relkind in ('r', 'v', 'p') and attnum > 0 and not attisdropped`,
    constraint: `select conrelid::regclass, conname, contype, convalidated, condeferrable, condeferred, pg_get_constraintdef(pg_constraint.oid) from pg_constraint join pg_class on pg_class.oid = conrelid where ${ours}`,
    index: `select relname, indisvalid, indisclustered, reloptions, pg_get_indexdef(indexrelid), (select array_agg(attstattarget order by attnum) from pg_attribute where attrelid = indexrelid) from pg_index join pg_class on pg_class.oid = indexrelid where ${ours}`,
    function: `select proname, pg_get_functiondef(pg_proc.oid), pg_get_userbyid(proowner), ${acl('proacl')} from pg_proc where pronamespace = 'public'::regnamespace`,
    trigger: `select tgrelid::regclass, tgname, tgenabled, pg_get_triggerdef(pg_trigger.oid) from pg_trigger join pg_class on pg_class.oid = tgrelid where ${ours} and not tgisinternal`,
    view: `select relname, pg_get_viewdef(oid) from pg_class where ${ours} and relkind in ('v', 'm')`,
    rule: `select tablename, rulename, definition from pg_rules where schemaname = 'public'`,
    policy: `select * from pg_policies`,
    type: `select typname, typtype, ${acl('typacl')}, (select string_agg(enumlabel, ',' order by enumsortorder) from pg_enum where enumtypid = pg_type.oid) from pg_type where typnamespace = 'public'::regnamespace and typtype <> 'c' and typname <> '_migrations' and typcategory <> 'A'`,
    sequence: `select sequencename, data_type, start_value, min_value, max_value, increment_by, cycle, cache_size, last_value from pg_sequences where schemaname = 'public'`,
    owned: `select classid::regclass, objid::regclass, refobjid::regclass, deptype from pg_depend where classid = 'pg_class'::regclass and objid in (select oid from pg_class where relkind = 'S') and refclassid = 'pg_class'::regclass`,
    statistics: `select stxname, pg_get_statisticsobjdef(oid) from pg_statistic_ext`,
    extension: `select extname, extversion from pg_extension`,
    schema: `select nspname, pg_get_userbyid(nspowner), ${acl('nspacl')} from pg_namespace where nspname !~ '^pg_'`,
    default: `select pg_get_userbyid(defaclrole), defaclobjtype, ${acl('defaclacl')} from pg_default_acl`,
    comment: `select obj_description(oid), relname from pg_class where ${ours} and obj_description(oid) is not null`,
    setting: `select setconfig from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())`,
  };
  const facts = [];
  for (const [kind, query] of Object.entries(queries))
    for (const row of (await client.query({ text: query, rowMode: 'array' })).rows)
      facts.push(`${kind} ${JSON.stringify(row)}`);
  // The time of a row that a migration inserts is that of the migration.
  for (const { relname } of (
    await client.query(`select relname from pg_class where ${ours} and relkind = 'r'`)
  ).rows)
    for (const { row } of (await client.query(`select to_jsonb(t)::text as row from ${relname} as t`)).rows)
      facts.push(`row ${relname} ${row.replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"a time"')}`);
  return facts.sort();
}
