// A small path tracer, which renders the pictures of the example brand.
//   cc -O3 -march=native -ffast-math -fopenmp trace.c scenes.c -lm -o trace
//   ./trace SCENE WIDTH HEIGHT SAMPLES OUT.ppm
#include "trace.h"

// ---- Meshes ----
typedef struct { V p, e1, e2, n[3], w[3]; int material; } Triangle;
typedef struct { V low, high; int first, count, right; } Node;
static Triangle *triangles;
static int count, capacity;
static Node *nodes;
static int node_count;
static Material materials[64];
static int material_count;
static struct { int width, height; unsigned char *pixels; } images[16];
static int image_count;
Camera camera;
Lighting lighting;

typedef struct { V x, y, z, t; } Matrix;
static Matrix stack[16] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}};
static int depth;
static V turned(V a) { Matrix m = stack[depth]; return add(add(mul(m.x, a.x), mul(m.y, a.y)), mul(m.z, a.z)); }
static V placed(V a) { return add(turned(a), stack[depth].t); }
void push(void) { stack[depth + 1] = stack[depth]; depth++; }
void pop(void) { depth--; }
void move(float x, float y, float z) { stack[depth].t = placed(v(x, y, z)); }
void scale(float s) { Matrix *m = &stack[depth]; m->x = mul(m->x, s); m->y = mul(m->y, s); m->z = mul(m->z, s); }
void turn(char axis, float degrees) {
  float c = cosf(degrees * 0.0174533f), s = sinf(degrees * 0.0174533f);
  Matrix *m = &stack[depth], o = *m;
  if (axis == 'x') { m->y = add(mul(o.y, c), mul(o.z, s)); m->z = sub(mul(o.z, c), mul(o.y, s)); }
  if (axis == 'y') { m->x = sub(mul(o.x, c), mul(o.z, s)); m->z = add(mul(o.z, c), mul(o.x, s)); }
  if (axis == 'z') { m->x = add(mul(o.x, c), mul(o.y, s)); m->y = sub(mul(o.y, c), mul(o.x, s)); }
}
int add_material(Material m) { materials[material_count] = m; return material_count++; }

static void triangle(const V *p, const V *n, const V *w, int material) {
  if (count == capacity) triangles = realloc(triangles, (capacity = capacity * 2 + 1024) * sizeof *triangles);
  Triangle *t = &triangles[count++];
  V a = placed(p[0]), b = placed(p[1]), c = placed(p[2]);
  *t = (Triangle){.p = a, .e1 = sub(b, a), .e2 = sub(c, a), .material = material};
  for (int i = 0; i < 3; i++) t->n[i] = norm(turned(n[i])), t->w[i] = w[i];
}
static void flat4(V a, V b, V c, V d, const V *n, const V *w, int m) {
  V p[] = {a, b, c, a, c, d}, nn[] = {n[0], n[1], n[2], n[0], n[2], n[3]}, ww[] = {w[0], w[1], w[2], w[0], w[2], w[3]};
  triangle(p, nn, ww, m);
  triangle(p + 3, nn + 3, ww + 3, m);
}
// A rectangle; its image coordinates run from a (0, 0) to c (1, 1).
void quad(V a, V b, V c, V d, int material) {
  V n = norm(cross(sub(b, a), sub(c, a))), nn[] = {n, n, n, n};
  V uv[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, p[] = {a, b, c, d};
  flat4(a, b, c, d, nn, materials[material].texture == PRINT || materials[material].texture == BRANDED ? uv : p, material);
}
void rounded_box(V c, V h, float r, int material) {
  enum { EDGE = 4, SIDE = 2 * EDGE + 2 };
  for (int face = 0; face < 6; face++) {
    int k = face / 2, i = (k + 1) % 3, j = (k + 2) % 3;
    float hs[] = {h.x, h.y, h.z}, sign = face % 2 ? 1 : -1;
    V p[SIDE][SIDE], n[SIDE][SIDE];
    for (int a = 0; a < SIDE; a++)
      for (int b = 0; b < SIDE; b++) {
        float q[3], in[3], d[3];
        int at[] = {a, b}, ax[] = {i, j};
        q[k] = sign * hs[k];
        for (int s = 0; s < 2; s++) {
          int e = at[s] < SIDE / 2 ? EDGE - at[s] : at[s] - EDGE - 1;
          q[ax[s]] = (at[s] < SIDE / 2 ? -1 : 1) * (hs[ax[s]] - r + r * tanf(0.785398f * e / EDGE));
        }
        for (int s = 0; s < 3; s++) in[s] = clampf(q[s], r - hs[s], hs[s] - r), d[s] = q[s] - in[s];
        n[a][b] = norm(v(d[0], d[1], d[2]));
        p[a][b] = add(c, add(v(in[0], in[1], in[2]), mul(n[a][b], r)));
      }
    for (int a = 0; a + 1 < SIDE; a++)
      for (int b = 0; b + 1 < SIDE; b++) {
        V q[] = {p[a][b], p[a + 1][b], p[a + 1][b + 1], p[a][b + 1]};
        V m[] = {n[a][b], n[a + 1][b], n[a + 1][b + 1], n[a][b + 1]};
        flat4(q[0], q[1], q[2], q[3], m, q, material);
      }
  }
}
// A body turned around the x axis, from pairs of place and radius. A repeated place makes a sharp corner.
void lathe(const float *f, int points, int material) {
  enum { SEGMENTS = 72 };
  for (int i = 0; i + 1 < points; i++) {
    V s[4], n[4];
    float x0 = f[2 * i], r0 = f[2 * i + 1], x1 = f[2 * i + 2], r1 = f[2 * i + 3];
    float slope[2];
    for (int e = 0; e < 2; e++) {
      int k = i + e, a = k - (k > 0 && !(k - 1 < 0)), b = k + (k + 1 < points);
      float own = atan2f(r1 - r0, x1 - x0), both = atan2f(f[2 * b + 1] - f[2 * a + 1], f[2 * b] - f[2 * a]);
      slope[e] = fabsf(own - both) < 0.35f ? both : own;
    }
    for (int g = 0; g < SEGMENTS; g++) {
      for (int e = 0; e < 4; e++) {
        float t = 6.2831853f * (g + (e == 2 || e == 3)) / SEGMENTS;
        int far = e == 1 || e == 2;
        float x = far ? x1 : x0, r = far ? r1 : r0, a = slope[far];
        s[e] = v(x, r * cosf(t), r * sinf(t));
        n[e] = v(-sinf(a), cosf(a) * cosf(t), cosf(a) * sinf(t));
      }
      flat4(s[0], s[1], s[2], s[3], n, s, material);
    }
  }
}
// An SVG path of the commands M L H V C S Z, in both cases, as outlines of points.
static int outline(const char **text, V *out, int limit) {
  const char *s = *text;
  int n = 0;
  char c = 0;
  V at = {0}, control = {0};
  while (*s) {
    while (*s == ' ' || *s == ',') s++;
    if (*s && strchr("MmLlHhVvCcSsZz", *s)) {
      if ((*s == 'M' || *s == 'm') && n) break;
      c = *s++;
      if (c == 'Z' || c == 'z') { while (*s == ' ') s++; break; }
    }
    float f[6];
    int need = strchr("HhVv", c) ? 1 : strchr("Cc", c) ? 6 : strchr("Ss", c) ? 4 : 2, relative = c >= 'a';
    for (int i = 0; i < need; i++) { char *e; while (*s == ' ' || *s == ',') s++; f[i] = strtof(s, &e); if (e == s) { *text = ""; return 0; } s = e; }
    V from = at;
    if (c == 'H' || c == 'h') at.x = f[0] + (relative ? at.x : 0);
    else if (c == 'V' || c == 'v') at.y = f[0] + (relative ? at.y : 0);
    else at = v(f[need - 2] + (relative ? from.x : 0), f[need - 1] + (relative ? from.y : 0), 0);
    if (need >= 4) {
      V o = relative ? from : v(0, 0, 0), b = need == 6 ? add(o, v(f[0], f[1], 0)) : sub(mul(from, 2), control);
      V d = add(o, v(f[need - 4], f[need - 3], 0));
      control = d;
      for (int i = 1; i < 12; i++) {
        float t = i / 12.f, u = 1 - t;
        if (n < limit) out[n++] = add(add(mul(from, u * u * u), mul(b, 3 * u * u * t)), add(mul(d, 3 * u * t * t), mul(at, t * t * t)));
      }
    }
    if (c == 'M' || c == 'm') c = c == 'M' ? 'L' : 'l';
    if (n < limit && (!n || fabsf(out[n - 1].x - at.x) + fabsf(out[n - 1].y - at.y) > 1e-4f)) out[n++] = at;
  }
  if (n > 1 && fabsf(out[n - 1].x - out[0].x) + fabsf(out[n - 1].y - out[0].y) < 1e-4f) n--;
  *text = s;
  return n;
}
static float area(const V *p, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) { V a = p[i], b = p[(i + 1) % n]; sum += a.x * b.y - b.x * a.y; }
  return sum / 2;
}
static int inside(V p, V a, V b, V c) {
  float d1 = (p.x - b.x) * (a.y - b.y) - (a.x - b.x) * (p.y - b.y), d2 = (p.x - c.x) * (b.y - c.y) - (b.x - c.x) * (p.y - c.y);
  float d3 = (p.x - a.x) * (c.y - a.y) - (c.x - a.x) * (p.y - a.y);
  return !((d1 < 0 || d2 < 0 || d3 < 0) && (d1 > 0 || d2 > 0 || d3 > 0));
}
static void cap(const V *p, int n, float z, float up, int material) {
  int *left = malloc(n * sizeof *left), m = n, guard = 0;
  for (int i = 0; i < n; i++) left[i] = i;
  for (int i = 0; m > 2 && guard < 4 * n; i = (i + 1) % m, guard++) {
    int ia = left[i], ib = left[(i + 1) % m], ic = left[(i + 2) % m], ok = 1;
    V a = p[ia], b = p[ib], c = p[ic];
    if ((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y) <= 0) continue;
    for (int k = 0; k < m && ok; k++) if (left[k] != ia && left[k] != ib && left[k] != ic && inside(p[left[k]], a, b, c)) ok = 0;
    if (!ok) continue;
    V q[] = {v(a.x, a.y, z), v(b.x, b.y, z), v(c.x, c.y, z)}, nn[] = {v(0, 0, up), v(0, 0, up), v(0, 0, up)};
    triangle(q, nn, q, material);
    int gone = (i + 1) % m;
    memmove(left + gone, left + gone + 1, (m - gone - 1) * sizeof *left);
    if (--m && i >= m) i = 0;
    guard = 0;
  }
  free(left);
}
// A path drawn from z0 to z1, with bevelled edges. Its y axis points down, as in SVG.
void extrude(const char *path, float z0, float z1, float bevel, int material) {
  static V p[2000], in[2000];
  while (*path) {
    int n = outline(&path, p, 2000);
    if (n < 3) return;
    for (int i = 0; i < n; i++) p[i].y = -p[i].y;
    if (area(p, n) < 0) for (int i = 0; i < n / 2; i++) { V t = p[i]; p[i] = p[n - 1 - i]; p[n - 1 - i] = t; }
    V *edge = malloc(n * sizeof *edge);
    for (int i = 0; i < n; i++) { V d = norm(sub(p[(i + 1) % n], p[i])); edge[i] = v(d.y, -d.x, 0); }
    for (int i = 0; i < n; i++) {
      V a = edge[(i + n - 1) % n], b = edge[i], s = add(a, b);
      float l = dot(s, s) / 2;
      in[i] = sub(p[i], mul(s, bevel / (l > 0.3f ? l : 0.3f)));
    }
    cap(in, n, z1, 1, material);
    for (int i = 0; i < n; i++) {
      int j = (i + 1) % n;
      V a = edge[(i + n - 1) % n], b = edge[i], c = edge[j];
      V na = dot(a, b) > 0.8f ? norm(add(a, b)) : b, nb = dot(b, c) > 0.8f ? norm(add(b, c)) : b;
      V up = {0, 0, 1}, side[] = {na, nb, nb, na}, slant[] = {norm(add(na, up)), norm(add(nb, up)), norm(add(nb, up)), norm(add(na, up))};
      V q[] = {v(p[i].x, p[i].y, z0), v(p[j].x, p[j].y, z0), v(p[j].x, p[j].y, z1 - bevel), v(p[i].x, p[i].y, z1 - bevel)};
      flat4(q[0], q[1], q[2], q[3], side, q, material);
      V r[] = {q[3], q[2], v(in[j].x, in[j].y, z1), v(in[i].x, in[i].y, z1)};
      if (bevel > 0) flat4(r[0], r[1], r[2], r[3], slant, r, material);
    }
    V *back = malloc(n * sizeof *back);
    for (int i = 0; i < n; i++) back[i] = p[i];
    cap(back, n, z0, -1, material);
    free(back);
    free(edge);
  }
}
// A curved sheet through a grid of points, row by row. Its image runs from the first point to the last.
void patch(const V *g, int columns, int rows, int material) {
  for (int b = 0; b + 1 < rows; b++)
    for (int a = 0; a + 1 < columns; a++) {
      V p[4], n[4], w[4];
      int at[4][2] = {{a, b}, {a + 1, b}, {a + 1, b + 1}, {a, b + 1}};
      for (int k = 0; k < 4; k++) {
        int x = at[k][0], y = at[k][1], l = x ? x - 1 : x, r = x + 1 < columns ? x + 1 : x, d = y ? y - 1 : y, u = y + 1 < rows ? y + 1 : y;
        p[k] = g[y * columns + x];
        n[k] = norm(cross(sub(g[y * columns + r], g[y * columns + l]), sub(g[u * columns + x], g[d * columns + x])));
        w[k] = materials[material].texture == PRINT ? v(x / (columns - 1.f), y / (rows - 1.f), 0) : p[k];
      }
      flat4(p[0], p[1], p[2], p[3], n, w, material);
    }
}
// A strip along a line, such as a shaving; `across` is its width.
void ribbon(const V *l, int n, V across, int material) {
  for (int i = 0; i + 1 < n; i++) {
    V da = norm(sub(l[i + 1], l[i ? i - 1 : 0])), db = norm(sub(l[i + 2 < n ? i + 2 : n - 1], l[i]));
    V na = norm(cross(across, da)), nb = norm(cross(across, db)), h = mul(across, 0.5f);
    V q[] = {sub(l[i], h), sub(l[i + 1], h), add(l[i + 1], h), add(l[i], h)}, nn[] = {na, nb, nb, na};
    V w[] = {v(i * 0.1f, 0, 0), v(i * 0.1f + 0.1f, 0, 0), v(i * 0.1f + 0.1f, 1, 0), v(i * 0.1f, 1, 0)};
    flat4(q[0], q[1], q[2], q[3], nn, w, material);
  }
}

// ---- Noise and textures ----
static float hash3(int x, int y, int z) {
  uint32_t h = (uint32_t)x * 374761393u + (uint32_t)y * 668265263u + (uint32_t)z * 2147483647u;
  h = (h ^ (h >> 13)) * 1274126177u;
  return ((h ^ (h >> 16)) & 0xffffff) / 16777215.f;
}
float noise(V p) {
  int x = floorf(p.x), y = floorf(p.y), z = floorf(p.z);
  float f[8], u = p.x - x, w = p.y - y, t = p.z - z;
  u = u * u * (3 - 2 * u), w = w * w * (3 - 2 * w), t = t * t * (3 - 2 * t);
  for (int i = 0; i < 8; i++) f[i] = hash3(x + (i & 1), y + (i >> 1 & 1), z + (i >> 2));
  float a = f[0] + (f[1] - f[0]) * u, b = f[2] + (f[3] - f[2]) * u, c = f[4] + (f[5] - f[4]) * u, d = f[6] + (f[7] - f[6]) * u;
  a += (b - a) * w, c += (d - c) * w;
  return a + (c - a) * t;
}
float fbm(V p, int octaves) {
  float sum = 0, amount = 0.5f;
  for (int i = 0; i < octaves; i++, amount /= 2, p = add(mul(p, 2.03f), v(7, 3, 5))) sum += amount * noise(p);
  return sum;
}
int load_image(const char *file) {
  FILE *f = fopen(file, "rb");
  int w, h, max;
  if (!f || fscanf(f, "P6 %d %d %d", &w, &h, &max) != 3) { fprintf(stderr, "cannot read %s\n", file); exit(1); }
  fgetc(f);
  unsigned char *pixels = malloc(3 * w * h);
  if (fread(pixels, 3, w * h, f) != (size_t)(w * h)) exit(1);
  fclose(f);
  images[image_count].width = w, images[image_count].height = h, images[image_count].pixels = pixels;
  return image_count++;
}
static V pixel(int image, float u, float w) {
  int wide = images[image].width, high = images[image].height;
  float x = clampf(u, 0, 1) * wide - 0.5f, y = (1 - clampf(w, 0, 1)) * high - 0.5f;
  int x0 = floorf(x), y0 = floorf(y);
  V sum = {0};
  for (int i = 0; i < 4; i++) {
    int a = clampf(x0 + (i & 1), 0, wide - 1), b = clampf(y0 + (i >> 1), 0, high - 1);
    unsigned char *c = images[image].pixels + 3 * (b * wide + a);
    float k = (i & 1 ? x - x0 : 1 - x + x0) * (i >> 1 ? y - y0 : 1 - y + y0);
    sum = add(sum, mul(v(linear(c[0] / 255.f), linear(c[1] / 255.f), linear(c[2] / 255.f)), k));
  }
  return sum;
}
// Wood with the grain along x: slow rings, fibres, and the short dark flecks of beech.
static V wood(V c, V p, float contrast) {
  V q = v(p.x * 0.035f, p.y, p.z);
  float ring = sqrtf((q.y + 9) * (q.y + 9) + (q.z + 3) * (q.z + 3)) * 2.2f + 2.5f * fbm(mul(q, 0.6f), 3);
  float early = ring - floorf(ring), band = smooth(0, 0.75f, early) * (1 - smooth(0.88f, 1, early));
  float fibre = noise(v(p.x * 0.6f, p.y * 22, p.z * 22)), fleck = smooth(0.7f, 0.84f, noise(v(p.x * 2.2f, p.y * 26, p.z * 26)));
  return mul(c, 1 + contrast * (0.05f - 0.3f * band - 0.22f * (fibre - 0.5f) - 0.28f * fleck));
}
static V texture(const Material *m, V w, float *rough, float *metal, V *n) {
  V c = m->color;
  switch (m->texture) {
    case WOOD: return wood(c, w, 0.8f);
    case ASH: return wood(c, v(w.x, w.y * 0.7f, w.z * 0.7f), 1.1f);
    case PLANKS: {
      float at = w.z / 9.4f, k = floorf(at), edge = fminf(at - k, 1 - at + k) * 9.4f;
      V board = wood(mul(c, 0.88f + 0.2f * hash3(k, 3, 9)), v(w.x + 40 * hash3(k, 1, 1), w.y, w.z + 13 * k), 0.95f);
      *rough += 0.12f * (fbm(mul(w, 0.5f), 3) - 0.5f);
      float scar = smooth(0.62f, 0.75f, fbm(v(w.x * 0.15f, 0, w.z * 0.5f), 4));
      return mul(mix(board, mul(board, 0.72f), scar * 0.5f), 0.25f + 0.75f * smooth(0.02f, 0.09f, edge));
    }
    case BOARD: return mul(c, 0.82f + 0.36f * fbm(v(w.x * 9, w.y * 9, w.z * 9), 4) - 0.1f * smooth(0.72f, 0.8f, noise(mul(w, 30))));
    case PLASTER: {
      V q = mul(w, 0.16f);
      V bump = v(fbm(mul(w, 0.9f), 4) - 0.47f, fbm(add(mul(w, 0.9f), v(31, 7, 3)), 4) - 0.47f, fbm(add(mul(w, 0.9f), v(3, 17, 31)), 4) - 0.47f);
      *n = norm(add(*n, mul(bump, 0.28f)));
      return mul(c, 0.86f + 0.28f * fbm(q, 4));
    }
    case BRUSHED: {
      float scratch = noise(v(w.x * 1.5f, w.y * 60, w.z * 60)) - 0.5f;
      *n = norm(add(*n, v(0, scratch * 0.05f, scratch * 0.05f)));
      *rough += 0.1f * (fbm(mul(w, 0.8f), 3) - 0.45f);
      return mul(c, 0.93f + 0.14f * fbm(mul(w, 0.7f), 3));
    }
    case WORN: {
      float stain = fbm(mul(w, 0.75f), 5), spots = smooth(0.47f, 0.6f, stain) + 0.7f * smooth(0.62f, 0.72f, fbm(mul(w, 5), 3));
      *rough += 0.35f * clampf(spots, 0, 1), *metal = spots > 0.35f ? 0 : m->metal;
      return mix(mul(c, 0.62f), v(0.17f, 0.075f, 0.03f), clampf(spots, 0, 1) * 0.92f);
    }
    case CAST: {
      V b = v(noise(mul(w, 22)) - 0.5f, noise(add(mul(w, 22), v(9, 9, 9))) - 0.5f, noise(add(mul(w, 22), v(5, 1, 7))) - 0.5f);
      *n = norm(add(*n, mul(b, 0.09f)));
      return c;
    }
    case PAPER_FIBRE: return mul(c, 0.96f + 0.08f * fbm(mul(w, 6), 3));
    case SHAVING: return mul(c, 0.9f + 0.25f * (noise(v(w.x * 0.7f, w.y * 30, 0)) - 0.5f));
    case PRINT: return had(mul(pixel(m->image, w.x, w.y), 0.985f + 0.03f * noise(mul(w, 90))), c);
    case BRANDED: return had(wood(c, v(w.x * 33, 0.3f, w.y * 13), 0.8f), mix(v(0.07f, 0.04f, 0.025f), v(1, 1, 1), pixel(m->image, w.x, w.y).x));
    default: return c;
  }
}

// ---- Intersection ----
static void grow(V *low, V *high, V p) {
  *low = v(fminf(low->x, p.x), fminf(low->y, p.y), fminf(low->z, p.z));
  *high = v(fmaxf(high->x, p.x), fmaxf(high->y, p.y), fmaxf(high->z, p.z));
}
static V centre(const Triangle *t) { return add(t->p, mul(add(t->e1, t->e2), 1 / 3.f)); }
static int sort_axis;
static float along(V a) { return sort_axis == 0 ? a.x : sort_axis == 1 ? a.y : a.z; }
static int by_axis(const void *a, const void *b) {
  float d = along(centre(a)) - along(centre(b));
  return (d > 0) - (d < 0);
}
static int build(int first, int n) {
  int at = node_count++;
  V low = v(1e9, 1e9, 1e9), high = v(-1e9, -1e9, -1e9);
  for (int i = first; i < first + n; i++) {
    Triangle *t = &triangles[i];
    grow(&low, &high, t->p), grow(&low, &high, add(t->p, t->e1)), grow(&low, &high, add(t->p, t->e2));
  }
  nodes[at] = (Node){low, high, first, n, 0};
  if (n <= 4) return at;
  // Sorts along each axis, and splits where the surface area heuristic is lowest.
  float best = 1e30f;
  int axis = 0, split = n / 2;
  float *sizes = malloc(n * sizeof *sizes);
  for (int a = 0; a < 3; a++) {
    sort_axis = a;
    qsort(triangles + first, n, sizeof *triangles, by_axis);
    for (int side = 0; side < 2; side++) {
      V l = v(1e9, 1e9, 1e9), h = v(-1e9, -1e9, -1e9);
      for (int k = 0; k < n; k++) {
        int i = side ? n - 1 - k : k;
        Triangle *t = &triangles[first + i];
        if (side && i < n - 1) {
          V d = sub(h, l);
          float cost = sizes[i] * (i + 1) + (d.x * d.y + d.y * d.z + d.z * d.x) * (n - i - 1);
          if (cost < best) best = cost, axis = a, split = i + 1;
        }
        grow(&l, &h, t->p), grow(&l, &h, add(t->p, t->e1)), grow(&l, &h, add(t->p, t->e2));
        V d = sub(h, l);
        if (!side) sizes[i] = d.x * d.y + d.y * d.z + d.z * d.x;
      }
    }
  }
  free(sizes);
  sort_axis = axis;
  qsort(triangles + first, n, sizeof *triangles, by_axis);
  build(first, split);
  int right = build(first + split, n - split);
  nodes[at].right = right, nodes[at].count = 0;
  return at;
}
typedef struct { float t, u, v; const Triangle *triangle; } Hit;
static int hits_box(const Node *b, V o, V inv, float far) {
  float x0 = (b->low.x - o.x) * inv.x, x1 = (b->high.x - o.x) * inv.x, y0 = (b->low.y - o.y) * inv.y, y1 = (b->high.y - o.y) * inv.y;
  float z0 = (b->low.z - o.z) * inv.z, z1 = (b->high.z - o.z) * inv.z;
  float near = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0));
  return near <= fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fminf(fmaxf(z0, z1), far));
}
static int trace(V o, V d, float far, Hit *hit, int any) {
  int todo[64], n = 0, found = 0;
  V inv = v(1 / (fabsf(d.x) > 1e-9f ? d.x : 1e-9f), 1 / (fabsf(d.y) > 1e-9f ? d.y : 1e-9f), 1 / (fabsf(d.z) > 1e-9f ? d.z : 1e-9f));
  todo[n++] = 0;
  while (n) {
    const Node *b = &nodes[todo[--n]];
    if (!hits_box(b, o, inv, far)) continue;
    if (!b->count) { todo[n++] = b->right; todo[n++] = (int)(b - nodes) + 1; continue; }
    for (int i = b->first; i < b->first + b->count; i++) {
      const Triangle *t = &triangles[i];
      V p = cross(d, t->e2), s = sub(o, t->p);
      float det = dot(t->e1, p);
      if (fabsf(det) < 1e-12f) continue;
      float u = dot(s, p) / det;
      if (u < 0 || u > 1) continue;
      V q = cross(s, t->e1);
      float w = dot(d, q) / det, at = dot(t->e2, q) / det;
      if (w < 0 || u + w > 1 || at < 1e-3f || at >= far) continue;
      if (any && materials[t->material].emit > 0) continue;
      far = at, found = 1, *hit = (Hit){at, u, w, t};
      if (any) return 1;
    }
  }
  return found;
}

// ---- Light ----
static _Thread_local uint64_t state;
static float rnd(void) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  uint32_t x = ((state >> 18) ^ state) >> 27, r = state >> 59;
  return ((x >> r | x << (-r & 31)) >> 8) / 16777216.f;
}
static void frame(V n, V *a, V *b) {
  *a = norm(fabsf(n.x) > 0.7f ? cross(n, v(0, 1, 0)) : cross(n, v(1, 0, 0)));
  *b = cross(n, *a);
}
static V around(V n, float cosine, float turn_by) {
  V a, b;
  frame(n, &a, &b);
  float s = sqrtf(fmaxf(0, 1 - cosine * cosine));
  return norm(add(mul(n, cosine), add(mul(a, s * cosf(turn_by)), mul(b, s * sinf(turn_by)))));
}
static const Triangle **lamps;
static int lamp_count;
static V sky(V d) { return mix(lighting.ground, lighting.sky, smooth(-0.3f, 0.6f, d.y)); }
// The light that arrives directly from the lamps and the sun.
static V direct(V p, V n) {
  V sum = {0};
  Hit hit;
  if (lamp_count) {
    const Triangle *l = lamps[(int)(rnd() * lamp_count) % lamp_count];
    float u = sqrtf(rnd()), w = rnd();
    V to = sub(add(l->p, add(mul(l->e1, 1 - u), mul(l->e2, u * w))), p), ln = cross(l->e1, l->e2);
    float size = sqrtf(dot(ln, ln)), far2 = dot(to, to), far = sqrtf(far2);
    V d = mul(to, 1 / far);
    float facing = dot(n, d), away = fabsf(dot(ln, d)) / size;
    if (facing > 0 && !trace(p, d, far * 0.999f, &hit, 1)) {
      const Material *m = &materials[l->material];
      sum = add(sum, mul(m->color, m->emit * facing * away * size / 2 * lamp_count / far2 / 3.14159f));
    }
  }
  if (lighting.sun_size > 0) {
    V d = around(norm(lighting.sun), 1 - rnd() * lighting.sun_size, 6.28319f * rnd());
    float facing = dot(n, d);
    if (facing > 0 && !trace(p, d, 1e5f, &hit, 1)) sum = add(sum, mul(lighting.sun_color, facing));
  }
  return sum;
}
typedef struct { V light, albedo, normal; float depth; } Sample;
static Sample radiance(V o, V d) {
  Sample s = {0};
  V through = v(1, 1, 1);
  int sharp = 1;
  for (int bounce = 0; bounce < 6; bounce++) {
    Hit hit;
    if (!trace(o, d, 1e6f, &hit, 0)) {
      V c = sky(d);
      s.light = add(s.light, had(through, c));
      if (!bounce) s.albedo = v(1, 1, 1), s.depth = 1e4f;
      return s;
    }
    const Triangle *t = hit.triangle;
    const Material *m = &materials[t->material];
    if (m->emit > 0) {
      if (sharp) s.light = add(s.light, mul(had(through, m->color), bounce ? m->emit : fminf(m->emit, 1.5f)));
      if (!bounce) s.albedo = v(1, 1, 1), s.depth = hit.t;
      return s;
    }
    float a = 1 - hit.u - hit.v;
    V n = norm(add(mul(t->n[0], a), add(mul(t->n[1], hit.u), mul(t->n[2], hit.v))));
    V w = add(mul(t->w[0], a), add(mul(t->w[1], hit.u), mul(t->w[2], hit.v)));
    V g = norm(cross(t->e1, t->e2)), p = add(o, mul(d, hit.t));
    if (dot(g, d) > 0) g = mul(g, -1);
    if (dot(n, g) < 0) n = mul(n, -1);
    float rough = m->rough, metal = m->metal;
    V c = texture(m, w, &rough, &metal, &n);
    if (dot(n, d) > 0) n = g;
    rough = clampf(rough, 0.04f, 1);
    p = add(p, mul(g, 2e-3f));
    V f0 = metal > 0 ? mix(v(0.04f, 0.04f, 0.04f), c, metal) : v(0.04f, 0.04f, 0.04f);
    float cosine = fmaxf(0, -dot(n, d)), fresnel = powf(1 - cosine, 5) * (1 - rough * 0.8f);
    V f = add(f0, mul(sub(v(1, 1, 1), f0), fresnel));
    if (metal == 0) f = mul(f, m->coat);
    if (!bounce) { // What is out of focus is smoothed with its texture.
      float blur = smooth(0.06f, 0.3f, fabsf(hit.t - camera.focus) / camera.focus);
      s.albedo = mix(metal > 0 ? v(1, 1, 1) : c, v(1, 1, 1), blur), s.normal = n, s.depth = hit.t;
    }
    float mirror = clampf(metal > 0 ? 1 : (f.x + f.y + f.z) / 3 * 2, 0.02f, 1);
    if (metal == 0 && m->coat == 0) mirror = 0;
    if (rnd() < mirror) {
      float r2 = rough * rough, e = rnd();
      V h = around(n, sqrtf((1 - e) / (1 + (r2 * r2 - 1) * e)), 6.28319f * rnd());
      d = sub(d, mul(h, 2 * dot(d, h)));
      if (dot(d, g) <= 0) return s;
      through = had(through, mul(f, 1 / mirror));
      sharp = 1;
    } else {
      through = mul(had(through, c), (1 - (f.x + f.y + f.z) / 3) / (1 - mirror));
      if (m->texture == SHAVING) {
        // Half of the light passes through a shaving.
        V back = direct(sub(p, mul(g, 4e-3f)), mul(n, -1));
        s.light = add(s.light, mul(had(through, add(mul(direct(p, n), 0.6f), mul(back, 0.55f))), 1));
        if (rnd() < 0.4f) n = mul(n, -1), p = sub(p, mul(g, 4e-3f)), g = mul(g, -1);
      } else s.light = add(s.light, had(through, direct(p, n)));
      d = around(n, sqrtf(1 - rnd()), 6.28319f * rnd());
      if (dot(d, g) <= 0) d = sub(d, mul(g, 2 * dot(d, g)));
      sharp = 0;
    }
    o = p;
    float keep = fmaxf(through.x, fmaxf(through.y, through.z));
    if (bounce > 2) { if (rnd() > keep) return s; through = mul(through, 1 / fmaxf(keep, 1e-3f)); }
  }
  return s;
}

// ---- Picture ----
// Smooths the light, but not the textures, over neighbours with a similar normal, depth and light.
static void denoise(V *light, const V *albedo, const V *normal, const float *far, int w, int h, int rounds) {
  V *next = malloc(w * h * sizeof *next);
  const float kernel[] = {0.375f, 0.25f, 0.0625f};
  for (int round = 0; round < rounds; round++) {
    int step = 1 << round;
    float limit = 0.9f / (1 + round);
#pragma omp parallel for schedule(dynamic, 8)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        int i = y * w + x;
        V sum = {0};
        float total = 0, own = logf(0.02f + light[i].x + light[i].y + light[i].z);
        for (int b = -2; b <= 2; b++)
          for (int a = -2; a <= 2; a++) {
            int p = x + a * step, q = y + b * step, k = q * w + p;
            if (p < 0 || q < 0 || p >= w || q >= h) continue;
            float d = dot(normal[i], normal[k]), dl = logf(0.02f + light[k].x + light[k].y + light[k].z) - own;
            V da = sub(albedo[i], albedo[k]);
            float near = fabsf(far[i] - far[k]) / (0.02f * far[i] + 1e-3f);
            float weight = kernel[abs(a)] * kernel[abs(b)] * powf(fmaxf(d, 0), 48) * expf(-near - fabsf(dl) / limit - dot(da, da) * 60);
            sum = add(sum, mul(light[k], weight)), total += weight;
          }
        next[i] = total > 0 ? mul(sum, 1 / total) : light[i];
      }
    memcpy(light, next, w * h * sizeof *next);
  }
  free(next);
}
// A film curve: dark tones keep their depth and lights roll off softly.
static float film(float x) {
  x = fmaxf(0, x);
  x = (x * (2.35f * x + 0.06f)) / (x * (2.27f * x + 0.62f) + 0.16f);
  return clampf(x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f, 0, 1);
}
// Replaces a pixel that is brighter than all its neighbours.
static void despeckle(V *light, int w, int h) {
  V *old = malloc(w * h * sizeof *old);
  memcpy(old, light, w * h * sizeof *old);
  for (int y = 1; y + 1 < h; y++)
    for (int x = 1; x + 1 < w; x++) {
      float first = 0, second = 0, third = 0;
      for (int k = 0; k < 9; k++) {
        V c = old[(y + k / 3 - 1) * w + x + k % 3 - 1];
        float l = c.x + c.y + c.z;
        if (k == 4) continue;
        if (l > first) third = second, second = first, first = l;
        else if (l > second) third = second, second = l;
        else if (l > third) third = l;
      }
      V *c = &light[y * w + x];
      float own = c->x + c->y + c->z;
      if (own > third) *c = mul(*c, third / own);
    }
  free(old);
}
int main(int argc, char **argv) {
  if (argc < 6 || !build_scene(argv[1])) { fprintf(stderr, "usage: trace SCENE WIDTH HEIGHT SAMPLES OUT.ppm\n"); return 1; }
  int w = atoi(argv[2]), h = atoi(argv[3]), samples = atoi(argv[4]);
  nodes = malloc(2 * count * sizeof *nodes);
  build(0, count);
  lamps = malloc(count * sizeof *lamps);
  for (int i = 0; i < count; i++) if (materials[triangles[i].material].emit > 0) lamps[lamp_count++] = &triangles[i];
  V *light = calloc(w * h, sizeof *light), *albedo = calloc(w * h, sizeof *albedo), *normal = calloc(w * h, sizeof *normal);
  float *far = calloc(w * h, sizeof *far);
  V ahead = norm(sub(camera.at, camera.eye)), right = norm(cross(ahead, v(sinf(camera.tilt), cosf(camera.tilt), 0))), up = cross(right, ahead);
  float zoom = tanf(camera.fov * 0.00872665f);
#pragma omp parallel for schedule(dynamic, 2)
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int i = y * w + x;
      state = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15ull;
      rnd();
      for (int k = 0; k < samples; k++) {
        float px = (x + rnd() - w * 0.5f) / h * 2 * zoom, py = (h * 0.5f - y - rnd()) / h * 2 * zoom;
        V d = add(ahead, add(mul(right, px), mul(up, py))), at = add(camera.eye, mul(d, camera.focus));
        float r = camera.aperture * sqrtf(rnd()), t = 6.28319f * rnd();
        V eye = add(camera.eye, add(mul(right, r * cosf(t)), mul(up, r * sinf(t))));
        Sample s = radiance(eye, norm(sub(at, eye)));
        V a = v(fmaxf(s.albedo.x, 0.01f), fmaxf(s.albedo.y, 0.01f), fmaxf(s.albedo.z, 0.01f));
        V l = v(s.light.x / a.x, s.light.y / a.y, s.light.z / a.z);
        float bright = fmaxf(l.x, fmaxf(l.y, l.z)); // Without its rarest, brightest paths, a picture needs far fewer samples.
        float limit = s.albedo.x > 0.99f ? 2.5f : 7;
        if (bright > limit) l = mul(l, limit / bright);
        light[i] = add(light[i], mul(l, 1.f / samples)), albedo[i] = add(albedo[i], mul(a, 1.f / samples));
        normal[i] = add(normal[i], s.normal), far[i] += s.depth / samples;
      }
      normal[i] = norm(normal[i]);
    }
  despeckle(light, w, h), despeckle(light, w, h);
  denoise(light, albedo, normal, far, w, h, samples < 24 ? 4 : 3);
  FILE *f = fopen(argv[5], "wb");
  fprintf(f, "P6\n%d %d\n255\n", w, h);
  for (int i = 0; i < w * h; i++) {
    float x = (i % w + 0.5f) / w - 0.5f, y = (i / w + 0.5f) / h - 0.5f, vignette = 1 - 0.55f * (x * x + y * y);
    V c = mul(had(light[i], albedo[i]), lighting.exposure * vignette);
    float grain = (hash3(i % w, i / w, 1) + hash3(i % w, i / w, 2) + hash3(i % w, i / w, 3) - 1.5f) * 0.018f, rgb[] = {c.x, c.y, c.z};
    for (int k = 0; k < 3; k++) fputc((int)(clampf(film(rgb[k]) + grain, 0, 1) * 255 + 0.5f), f);
  }
  fclose(f);
  fprintf(stderr, "%s: %d triangles\n", argv[1], count);
  return 0;
}
