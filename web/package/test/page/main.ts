// An application that uses Vite without settings: with #file it loads the module from its file.
import { story } from './story.js';

if (location.hash === '#file') {
  const file = await import('broadside/file');
  await file.load();
  document.title = String(story(file));
} else {
  const inline = await import('broadside');
  await inline.ready;
  document.title = String(story(inline));
}
