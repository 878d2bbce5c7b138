import { html } from '../serving/html.ts';
import { goTo, showView, type Page } from '../serving/page.ts';
import { renderToken } from '../parts/mark.ts';

/** The first page: what this service is, on one screen. */
export const landingPage: Page = {
  show: ({ caller, texts }) => {
    if (caller.role !== 'anonymous') return goTo('/app');
    const { landing } = texts;
    const content = html`<div class="hero">
        <div>
          <h1>${landing.headline}</h1>
          <p class="lead">${landing.lead}</p>
          <p class="buttons">
            <a class="button" href="/register">${landing.join}</a>
            <a class="button quiet" href="/sign-in">${landing.logIn}</a>
          </p>
        </div>
        ${renderToken()}
      </div>
      <h2 class="hidden">${landing.stepsTitle}</h2>
      <ol class="steps">
        ${landing.steps.map(
          ({ title, text }) =>
            html`<li>
              <h3>${title}</h3>
              <p>${text}</p>
            </li>`,
        )}
      </ol>
      <p class="organisations quiet">
        ${landing.organisations} <a href="/register?for=organisation">${landing.organisationsLink}</a>.
      </p>`;
    return showView({ title: landing.title, layout: 'open', content });
  },
};
