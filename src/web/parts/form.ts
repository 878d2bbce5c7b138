import { computeEtag } from '#platform/etag.ts';
import { html, type Content, type Html } from '../serving/html.ts';
import { kept_form_field } from '../serving/kept-form.ts';
import type { Visit } from '../serving/page.ts';
import { selectWord } from './select-word.ts';

/** A field of a form, by its name in the operation's input. */
export type Field = {
  readonly name: string;
  /** Where several forms of a page have the same action; by default, the action and the name. */
  readonly id?: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'date' | 'search' | 'file';
  readonly hint?: string;
  readonly value?: string | number | null | undefined;
  readonly autocomplete?: string;
  readonly inputmode?: 'numeric';
  /** For a number: its smallest step, and its largest value. */
  readonly step?: number;
  readonly max?: number;
  readonly maxlength?: number;
  /** For a file, which arrives as base64: the media types that the browser offers. */
  readonly accept?: string;
  /** For a line of text: what the browser proposes while the visitor writes. */
  readonly suggestions?: readonly string[];
  /** May be left empty; `unmarked` where its words or its kind say so. */
  readonly optional?: true | 'unmarked';
  /** The browser lets the visitor send the field empty, and the page decides. */
  readonly may_be_empty?: true;
  /** The values to choose from and their words; `radio` shows all of them at once, `rating` beside each other. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly look?: 'radio' | 'rating' | 'check';
  /** For a text of several lines: how many are visible. */
  readonly lines?: number;
  /** For a text of several lines that can exceed what is sent at once: how many bytes the service reads, and what a script says beyond. `maxlength` would cut a pasted text without a word. */
  readonly bytes_max?: { readonly bytes: number; readonly reason: string };
  /** For a slider from 0 to 1: the words for its places, from the first to the last. */
  readonly words?: readonly string[];
  /** What speaks for a value, beside it. */
  readonly evidence?: Content;
};

/** Fields under one heading. */
export type FieldGroup = {
  readonly legend: string;
  readonly hint?: Content;
  readonly before?: Content;
  readonly look?: 'row' | 'sliders' | 'boxes';
  /** Folds the group under this heading. It is open from the start if `is_open`, and where one of its fields was refused. */
  readonly fold?: { readonly heading: string; readonly is_open: boolean };
  readonly fields: readonly Field[];
};

export type Form = {
  /** Which of the page's forms it is. */
  readonly action?: string;
  readonly button: string;
  /** For screen readers, where several forms have the same words on their button. */
  readonly button_label?: string;
  readonly look?: 'primary' | 'quiet' | 'danger';
  /** The key that presses the button, if scripts run. */
  readonly key?: string;
  readonly fields?: readonly Field[];
  /** Further fields, in groups, after the others. */
  readonly groups?: readonly FieldGroup[];
  /** Uses the whole width of the page. */
  readonly wide?: true;
  /** Values that the visitor neither sees nor changes. */
  readonly hidden?: Readonly<Record<string, string>>;
  /**
   * The version of what the form changes, by {@link identifyVersion}. If another user changes it before the form is sent, the operation
   * refuses the form, so that nothing is overwritten unseen.
   */
  readonly seen?: string;
  /** Where it is sent, if not to the page that shows it. */
  readonly to?: string;
  /** Puts the cursor into the first field. */
  readonly focus?: true;
  readonly before_fields?: Content;
  readonly before_buttons?: Content;
  readonly after?: Content;
  /** Further attributes of the form, for a script. */
  readonly attributes?: Html;
};

/**
 * Renders a form. After a refusal it is filled in, each reason is beside its field, and the first such field has the focus. The browser refuses nothing
 * by itself, because it would name one fault at a time, except what is too long to be sent.
 */
export function renderForm(visit: Visit, form: Form): Html {
  const { action = 'send', button, look = 'primary', hidden = {}, to = visit.address } = form;
  const { fields = [], groups = [] } = form;
  const all = [...fields, ...groups.flatMap((group) => group.fields)];
  const refused = isRefused(visit, form);
  const errors = refused ? visit.form.errors : {};
  // A form that is shown again for another reason is still about the version that the visitor has seen.
  const seen = (refused && visit.form.values['seen']) || form.seen;
  const focused = all.find(({ name }) => errors[name] !== undefined) ?? (form.focus && all[0]);
  const renderEach = (field: Field) =>
    renderField(visit, { action, field, refused, has_focus: field === focused });
  return html`<form
    class="form ${look} ${form.wide && 'wide'}"
    method="post"
    action="${to}"
    ${!all.some(({ bytes_max }) => bytes_max) && 'novalidate'}
    ${all.some(({ type }) => type === 'file') && html`enctype="multipart/form-data"`}
    ${form.attributes}
  >
    ${refused && renderMessage(visit, all)}
    <input type="hidden" name="action" value="${action}" />
    <input type="hidden" name="token" value="${visit.form.token}" />
    ${
      visit.form.kept !== undefined &&
      html`<input type="hidden" name="${kept_form_field}" value="${visit.form.kept}" />`
    }
    ${seen !== undefined && html`<input type="hidden" name="seen" value="${seen}" />`}
    ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${form.before_fields} ${fields.map(renderEach)}
    ${groups.map((group) => renderGroup(group, errors, renderEach))} ${form.before_buttons}
    <p class="buttons">
      <button
        class="button ${look}"
        ${form.key !== undefined && html`data-key="${form.key}"`}
        ${form.button_label !== undefined && html`aria-label="${form.button_label}"`}
      >
        ${button}
      </button>
      ${form.after}
    </p>
  </form>`;
}

function renderGroup(
  { legend, hint, before, look, fold, fields }: FieldGroup,
  errors: Readonly<Record<string, string>>,
  renderEach: (field: Field) => Html,
): Html {
  const group = html`<fieldset class="group-of-fields ${look}">
    <legend>${legend}</legend>
    ${hint !== undefined && html`<p class="hint">${hint}</p>`}
    <div>${fields.map(renderEach)}</div>
  </fieldset>`;
  if (!fold) return html`${before} ${group}`;
  const isOpen = fold.is_open || fields.some(({ name }) => errors[name] !== undefined);
  return html`${before}
    <details class="folded-fields" ${isOpen && 'open'}>
      <summary>${fold.heading}</summary>
      ${group}
    </details>`;
}

/** Says whether this is the form that was sent and refused. Forms of the same action differ in what they are about, such as `match_id`. */
function isRefused({ form }: Visit, { action = 'send', hidden = {} }: Form): boolean {
  const ids = Object.entries(hidden).filter(([name]) => name.endsWith('_id'));
  return form.action === action && ids.every(([name, id]) => form.values[name] === id);
}

/** Identifies the version of a resource, as an operation has returned it: the If-Match of the form's operation. */
export function identifyVersion(resource: object): string {
  return computeEtag(JSON.stringify(resource));
}

/** What is wrong with the form as a whole, and with values that have no field. */
function renderMessage({ form, texts }: Visit, fields: readonly Field[]): Html {
  const elsewhere = Object.entries(form.errors)
    .filter(([name]) => !fields.some((field) => field.name === name))
    .map(([, reason]) => reason);
  return html`<div class="message bad" role="alert">
    <p>${form.message ?? texts.forms.problem}</p>
    ${elsewhere.map((reason) => html`<p>${reason}</p>`)}
  </div>`;
}

/** A field of a form, and what has become of the form. */
type PlacedField = {
  readonly action: string;
  readonly field: Field;
  readonly refused: boolean;
  readonly has_focus: boolean;
};

function renderField(visit: Visit, { action, field, refused, has_focus }: PlacedField): Html {
  const { name, label, hint, optional, look } = field;
  const error = refused ? findReason(visit, field) : undefined;
  const id = field.id ?? `${action}-${name}`;
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    Boolean,
  );
  // A code is typed again: it works once, and the next one is another.
  const isSecret = field.type === 'password' || field.autocomplete === 'one-time-code';
  const kept = isSecret ? undefined : visit.form.values[name];
  const value = String((refused ? kept : field.value) ?? '');
  const common = html`name="${name}" ${!optional && !field.may_be_empty && 'required'}
  ${has_focus && 'autofocus'} ${error !== undefined && html`aria-invalid="true"`}
  ${described.length > 0 && html`aria-describedby="${described.join(' ')}"`}`;
  const reasons = html`${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
  ${error !== undefined && html`<p class="error" id="${id}-error">${error}</p>`}`;
  if (look === 'check') return renderCheck({ id, label, value, common, reasons });
  if (look === 'radio' || look === 'rating')
    return html`<fieldset class="field radio ${look === 'rating' && look}">
      <legend>${label}</legend>
      ${reasons}
      <div>
        ${field.options?.map(([each, words]) => html`<label><input type="radio" value="${each}" ${each === value && 'checked'} ${common} /> <span>${words}</span></label>`)}
      </div>
    </fieldset>`;
  return html`<div class="field ${error !== undefined && 'invalid'}">
    <label for="${id}"
      >${label}
      ${optional === true && html`<span class="quiet">(${visit.texts.forms.optional})</span>`}</label
    >
    ${reasons} ${renderControl(id, field, value, common)} ${field.evidence}
  </div>`;
}

/** Finds why a field was refused. A needed text that is missing has one reason, whatever the rules for texts. */
function findReason(visit: Visit, { name, options, optional, type }: Field): string | undefined {
  const reason = visit.form.errors[name];
  const isMissing = visit.form.values[name]?.trim() === '' && !options && !optional && type !== 'password';
  return reason !== undefined && isMissing ? visit.texts.forms.missing : reason;
}

function renderControl(id: string, field: Field, value: string, common: Html): Html {
  if (field.options) return renderSelect(id, field, value, common);
  if (field.words) return renderSlider(id, { value, common, words: field.words });
  if (field.lines === undefined) return renderInput(id, field, value, common);
  const { maxlength, bytes_max } = field;
  return html`<textarea
    id="${id}"
    rows="${field.lines}"
    ${common}
    ${bytes_max && html`data-bytes-max="${bytes_max.bytes}" data-too-long="${bytes_max.reason}"`}
    ${maxlength !== undefined && html`maxlength="${maxlength}"`}
  >
${value}</textarea>`;
}

function renderInput(id: string, field: Field, value: string, common: Html): Html {
  // A browser lets no page choose a file.
  if (field.type === 'file') return html`<input id="${id}" type="file" accept="${field.accept}" ${common} />`;
  const { type = 'text', autocomplete = 'off', inputmode, maxlength, step, max, suggestions = [] } = field;
  return html`<input
      id="${id}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      ${common}
      ${inputmode && html`inputmode="${inputmode}"`}
      ${maxlength !== undefined && html`maxlength="${maxlength}"`}
      ${type === 'number' && html`min="0"`}
      ${step !== undefined && html`step="${step}"`}
      ${max !== undefined && html`max="${max}"`}
      ${suggestions.length > 0 && html`list="${id}-list"`}
    />${suggestions.length > 0 && renderSuggestions(id, suggestions)}`;
}

function renderSuggestions(id: string, suggestions: readonly string[]): Html {
  return html`<datalist id="${id}-list">
    ${suggestions.map((each) => html`<option value="${each}"></option>`)}
  </datalist>`;
}

function renderSelect(id: string, { options = [] }: Field, value: string, common: Html): Html {
  return html`<select id="${id}" ${common}>
    ${options.map(([each, words]) => html`<option value="${each}" ${each === value && 'selected'}>${words}</option>`)}
  </select>`;
}

type Input = { readonly value: string; readonly common: Html };

/** Renders a slider from 0 to 1. The script shows the word for its place while it moves; without scripts the words at both ends remain. */
function renderSlider(
  id: string,
  { value, common, words }: Input & { readonly words: readonly string[] },
): Html {
  return html`<div class="slider">
    <input
      id="${id}"
      type="range"
      min="0"
      max="1"
      step="0.05"
      value="${value}"
      data-words="${words.join('|')}"
      ${common}
    />
    <output for="${id}">${selectWord(words, Number(value))}</output>
  </div>`;
}

/** Renders a box to tick, with its words beside it. It is sent as `true`, or not at all. */
function renderCheck({
  id,
  label,
  value,
  common,
  reasons,
}: Input & { readonly id: string; readonly label: string; readonly reasons: Html }): Html {
  return html`<div class="field check">
    <label for="${id}"
      ><input id="${id}" type="checkbox" value="true" ${value === 'true' && 'checked'} ${common} />
      <span>${label}</span></label
    >
    ${reasons}
  </div>`;
}
