// The vectors, materials and meshes of the path tracer (trace.c) and its scenes (scenes.c). Lengths are in centimetres.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { float x, y, z; } V;

static inline V v(float x, float y, float z) { return (V){x, y, z}; }
static inline V add(V a, V b) { return v(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline V sub(V a, V b) { return v(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline V mul(V a, float s) { return v(a.x * s, a.y * s, a.z * s); }
static inline V had(V a, V b) { return v(a.x * b.x, a.y * b.y, a.z * b.z); }
static inline float dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline V cross(V a, V b) { return v(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
static inline V norm(V a) { float l = sqrtf(dot(a, a)); return l > 0 ? mul(a, 1 / l) : a; }
static inline V mix(V a, V b, float t) { return add(mul(a, 1 - t), mul(b, t)); }
static inline float clampf(float x, float a, float b) { return x < a ? a : x > b ? b : x; }
static inline float smooth(float a, float b, float x) { x = clampf((x - a) / (b - a), 0, 1); return x * x * (3 - 2 * x); }

// A colour in sRGB, as in styles/colors.yaml, becomes linear light.
static inline float linear(float c) { return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f); }
static inline V hex(uint32_t h) { return v(linear((h >> 16) / 255.f), linear((h >> 8 & 255) / 255.f), linear((h & 255) / 255.f)); }
#define INK 0x14212b
#define VERMILION 0xcc3a06
#define PAPER 0xfaf7f2
#define BEECH 0xdbb48a
#define BRASS 0xad7f26
#define STEEL 0x818d98
#define GREEN 0x2c5a4a
#define BLUE 0x1f5e94

// Textures use the object's own coordinates (w), so that grain follows a part when it is turned.
typedef enum { PLAIN, WOOD, ASH, PLANKS, BOARD, PLASTER, BRUSHED, PAPER_FIBRE, PRINT, BRANDED, CAST, SHAVING, WORN } Texture;
typedef struct { V color; Texture texture; float rough, metal, coat, emit; int image; } Material;

extern int add_material(Material m);
extern int load_image(const char *file);
extern void push(void), pop(void), move(float x, float y, float z), turn(char axis, float degrees), scale(float s);
extern void quad(V a, V b, V c, V d, int material);
extern void rounded_box(V centre, V half, float radius, int material);
extern void lathe(const float *profile, int points, int material);
extern void extrude(const char *path, float z0, float z1, float bevel, int material);
extern void patch(const V *grid, int columns, int rows, int material);
extern void ribbon(const V *line, int points, V across, int material);

typedef struct { V eye, at; float fov, aperture, focus, tilt; } Camera;
typedef struct { V sky, ground, sun, sun_color; float sun_size, exposure; } Lighting;
extern Camera camera;
extern Lighting lighting;
extern int build_scene(const char *name);
extern float noise(V p), fbm(V p, int octaves);
