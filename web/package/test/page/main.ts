// An application that uses Vite without settings: both ways to load the module.
import * as inline from 'broadside';
import * as file from 'broadside/file';
import { story } from './story.js';

await inline.ready;
const first = story(inline);
await file.load();
document.title = `${first} ${story(file)}`;
