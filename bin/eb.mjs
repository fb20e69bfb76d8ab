await import('/work/trees/lead/dist/config/main.js');
