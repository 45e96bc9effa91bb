// An application that uses Vite without settings: with #inline the module is part of its scripts.
import { story } from './story.js';

const broadside = await (location.hash === '#inline' ? import('broadside/inline') : import('broadside'));
await broadside.ready;
document.title = String(story(broadside));
